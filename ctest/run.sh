#!/usr/bin/env bash
# Builds and runs the C programs of this directory against target/release/libfilcrypto.so:
#
#   ctest/run.sh        the tests: plainly, on an emulated old CPU, and under AddressSanitizer and LeakSanitizer
#   ctest/run.sh demo   the demo alone
#
# The library is built before (`make build`), and so are the local parameters (`make params`).
set -euo pipefail
cd "$(dirname "$0")/.."

export FIL_PROOFS_PARAMETER_CACHE=${FIL_PROOFS_PARAMETER_CACHE:-$PWD/target/params}
library=$PWD/target/release/libfilcrypto.so
build=$PWD/target/ctest
warnings=(-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -g)
# In the order in which they run: what seal and post prove, the later ones reuse.
programs=(load layout bls util pieces accessors seal post update aggregate destroy threads fvm fvm_machine portable resident)
passed=0
failed=0

say() { printf '\n== %s\n' "$*"; }
pass() { passed=$((passed + $1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

need() {
    if [ ! -e "$1" ]; then
        echo "$1 is missing: run \`make $2\` first" >&2
        exit 1
    fi
}

# sources PROGRAM: what it is made of.
sources() {
    case $1 in
    load | fvm) echo "$1.c check.c" ;;
    fvm_machine) echo "$1.c fvm_host.c check.c" ;;
    *) echo "$1.c fixture.c check.c" ;;
    esac
}

# compile PROGRAM OUTPUT LIBRARY_DIRECTORY FLAGS...
compile() {
    local program=$1 output=$2 directory=$3 files=() link=()
    shift 3
    read -ra files <<<"$(sources "$program")"
    case $program in
    load) link=(-rdynamic -ldl) ;;
    fvm_machine) link=(-rdynamic -L"$directory" -lfilcrypto) ;;
    *) link=(-L"$directory" -lfilcrypto) ;;
    esac
    gcc "${warnings[@]}" "$@" -Iinclude "${files[@]/#/ctest/}" -o "$output" "${link[@]}" -lpthread
}

# run_program PROGRAM COMMAND...: runs it, and counts what it says it passed and failed.
run_program() {
    local program=$1 log=$build/log status=0
    shift
    "$@" >"$log" 2>&1 || status=$?
    cat "$log"
    local line
    line=$(grep -E "^$program: [0-9]+ passed, [0-9]+ failed$" "$log" || true)
    if [ -n "$line" ]; then
        passed=$((passed + $(awk '{print $2}' <<<"$line")))
        failed=$((failed + $(awk '{print $4}' <<<"$line")))
        if [ "$status" -ne 0 ] && [[ $line == *", 0 failed" ]]; then
            fail "$program ended with status $status"
        fi
    else
        fail "$program ended with status $status before it finished"
    fi
}

# fresh_pass NAME LIBRARY_DIRECTORY: the surroundings of one run of all programs.
fresh_pass() {
    export CTEST_WORK=$build/work-$1 CTEST_WAYS=$build/ways-$1 LD_LIBRARY_PATH=$2
    rm -rf "$CTEST_WORK" "$CTEST_WAYS"
    mkdir -p "$build/$1" "$CTEST_WORK"
    export FIL_PROOFS_PARENT_CACHE=$CTEST_WORK/parents TMPDIR=$CTEST_WORK
}

# prototypes: every function of the contract, one a line: its name, a tab, its parameters.
prototypes() {
    sed '/^\/\*/,/\*\//d' ctest/contract.h | tr '\n' ' ' | tr ';' '\n' |
        sed -nE 's/^ *[A-Za-z0-9_]+ \*? *([a-z0-9_]+)\( *(.*)\)$/\1\t\2/p'
}

check_header() {
    say "the header compiles alone"
    for language in "gcc -x c -std=c11" "g++ -x c++ -std=c++17"; do
        for header in filcrypto.h filcrypto_resident.h; do
            if $language -Wall -Wextra -Werror -pedantic -fsyntax-only "include/$header"; then
                echo "$header, $language: clean"
                pass 1
            else
                fail "$header, $language"
            fi
        done
    done
}

check_exports() {
    say "the library exports the contract's functions, and each is tested"
    nm -D --defined-only "$library" | awk '{print $3}' | grep -v '^filcrypto_' | sort >"$build/exported"
    prototypes | cut -f1 | sort >"$build/contract"
    if diff "$build/contract" "$build/exported"; then
        echo "$(wc -l <"$build/exported") names, no more and no less"
        pass 1
    else
        fail "exported names (right) differ from ctest/contract.h (left)"
    fi
    for program in "${programs[@]}"; do nm -u "$build/plain/$program"; done | awk '{print $2}' | sort -u >"$build/called"
    untested=$(comm -23 "$build/exported" "$build/called")
    if [ -z "$untested" ]; then
        echo "every name is called"
        pass 1
    else
        fail "no program calls: $untested"
    fi
}

# Every function was called in every way that its parameters allow.
check_ways() {
    say "the ways in which each function was called ($1)"
    prototypes | awk -F'\t' '{
        print $1, "success"
        if ($2 ~ /\*|slice_|PrivateReplicaInfo/) print $1, "empty"
        if ($1 !~ /^(destroy_|drop_)/ && $2 ~ /Registered|FvmError|ReplicaInfo|PoStProof_t/) print $1, "bad-enum"
        plain = $2
        gsub(/(Registered[A-Za-z]*|FvmRegisteredVersion|FvmError)_t [a-z_]+|const (uint8_32_array|InnerFvmMachine)_t \*[a-z_]+|void|[, ]/, "", plain)
        if (plain != "" && $1 !~ /^(destroy_|drop_)/) print $1, "malformed"
    }' | sort >"$build/wanted"
    sort -u "$CTEST_WAYS" >"$build/seen"
    missing=$(comm -23 "$build/wanted" "$build/seen")
    if [ -z "$missing" ]; then
        echo "all $(wc -l <"$build/wanted") of them"
        pass 1
    else
        fail "never called that way:"$'\n'"$missing"
    fi
}

# The layout that was handed over with the task, where a checkout has it beside the repository.
check_layout() {
    local reference=../shared/abi/layout.txt
    if [ ! -e "$reference" ]; then return; fi
    say "the layout equals $reference"
    if diff "$reference" <("$build/plain/layout" print); then pass 1; else fail "the layout differs"; fi
}

plain_pass() {
    say "the programs"
    fresh_pass plain "$(dirname "$library")"
    for program in "${programs[@]}"; do
        compile "$program" "$build/plain/$program" "$(dirname "$library")"
        run_program "$program" "$build/plain/$program"
    done
    check_ways plainly
    check_exports
    check_layout
}

emulated_pass() {
    say "BLS and verification on an emulated Nehalem, without ADX, BMI2 and AVX"
    if ! command -v qemu-x86_64 >/dev/null; then
        echo "SKIPPED: there is no qemu-x86_64; \`make deps\` installs it"
        return
    fi
    run_program portable qemu-x86_64 -cpu Nehalem "$build/plain/portable"
}

# The sanitizers do see what goes wrong with the library's memory.
check_canary() {
    gcc "${warnings[@]}" "$@" -Iinclude ctest/canary.c -o "$build/sanitized/canary" -L"$LD_LIBRARY_PATH" -lfilcrypto
    local fault found
    for fault in "leak|LeakSanitizer: detected memory leaks" "twice|AddressSanitizer: attempting double-free"; do
        found=$("$build/sanitized/canary" "${fault%%|*}" 2>&1 || true)
        if grep -q "${fault#*|}" <<<"$found"; then
            echo "canary: ${fault#*|}, as it should"
            pass 1
        else
            fail "the sanitizers do not catch what they must: ${fault#*|}"
        fi
    done
}

sanitized_pass() {
    say "the programs under AddressSanitizer and LeakSanitizer, the library on the system allocator"
    scripts/build-system-alloc.sh
    fresh_pass sanitized "$PWD/target/system-alloc/release"
    # The library and wasmtime handle signals themselves; an allocation that cannot be had is NULL, as without ASan.
    export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=1:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0
    export LSAN_OPTIONS=print_suppressions=0
    local flags=(-fsanitize=address -fno-omit-frame-pointer)
    check_canary "${flags[@]}"
    for program in "${programs[@]}"; do
        compile "$program" "$build/sanitized/$program" "$LD_LIBRARY_PATH" "${flags[@]}"
        run_program "$program" "$build/sanitized/$program"
    done
    check_ways "under sanitizers"
}

need "$library" build
need "$FIL_PROOFS_PARAMETER_CACHE" params
mkdir -p "$build"
# The tests compare texts, and set what they need themselves.
unset RUST_BACKTRACE RUST_LIB_BACKTRACE RUST_LOG GOLOG_LOG_FMT

if [ "${1:-}" = demo ]; then
    gcc "${warnings[@]}" -Iinclude ctest/demo.c -o "$build/demo" -L"$(dirname "$library")" -lfilcrypto
    LD_LIBRARY_PATH=$(dirname "$library") exec "$build/demo" "$build/demo-timeline.json"
fi
check_header
plain_pass
emulated_pass
sanitized_pass
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
