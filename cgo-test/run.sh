#!/usr/bin/env bash
# Runs filecoin-ffi's own Go tests, unmodified, and then ours, against target/release/libfilcrypto.so.
# Wants `make build params` done; FIL_PROOFS_PARAMETER_CACHE names the folder of the local 2 KiB parameters.
#   cgo-test/run.sh              everything
#   cgo-test/run.sh upstream     filecoin-ffi's own tests
#   cgo-test/run.sh ours [ARGS]  ours; ARGS go to `go test`
#   cgo-test/run.sh swap         one program, two builds of the library
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
built=$root/target/release
work=$root/target/cgo-test
ffi=$work/filecoin-ffi
module=github.com/filecoin-project/filecoin-ffi
export FIL_PROOFS_PARAMETER_CACHE=${FIL_PROOFS_PARAMETER_CACHE:-$root/target/params}

say() { echo "cgo-test: $*"; }
fail() { say "FAILED: $*" >&2; exit 1; }

[ ! -x target/go/bin/go ] || PATH=$root/target/go/bin:$PATH
# Error texts are compared, and a backtrace would become part of them.
unset RUST_BACKTRACE RUST_LIB_BACKTRACE

prepare() {
    local file
    for file in "$built/libfilcrypto.so" "$built/filcrypto.pc" include/filcrypto.h; do
        [ -f "$file" ] || fail "$file is missing: run 'make build'"
    done
    ls "$FIL_PROOFS_PARAMETER_CACHE"/v28-stacked-proof-of-replication-*.params >/dev/null 2>&1 ||
        fail "no 2 KiB parameters in $FIL_PROOFS_PARAMETER_CACHE: run 'make params'"
    check_exports
    place_library
    key_go_cache
    # What the tests leave behind goes with the folder.
    export TMPDIR=$work/tmp
    rm -rf "$TMPDIR"
    mkdir -p "$TMPDIR"
}

# filecoin-ffi links with -unresolved-symbols=ignore-all: a function that the library lacks would be called at address 0.
check_exports() {
    local missing
    missing=$(comm -23 \
        <(grep -oE '\b[a-z][a-z0-9_]*\(' include/filcrypto.h | tr -d '(' | sort -u) \
        <(nm -D --defined-only "$built/libfilcrypto.so" | awk '{ print $3 }' | sort))
    [ -z "$missing" ] || fail "libfilcrypto.so lacks functions of filcrypto.h: $(echo $missing)"
}

# A writable copy of the module, with our three files where its cgo directives look for them.
place_library() {
    local source
    source=$(cd cgo-test && GOWORK=off go mod download -json $module | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
    mkdir -p "$work"
    rm -rf "$ffi"
    cp -r "$source" "$ffi"
    chmod -R u+w "$ffi"
    cp include/filcrypto.h "$built/filcrypto.pc" "$ffi/"
    ln -s "$built/libfilcrypto.so" "$ffi/libfilcrypto.so"
    # The path of the archive is fixed in the sources. Through this link ld finds the shared object and records its SONAME.
    ln -s libfilcrypto.so "$ffi/libfilcrypto.a"
    say "$(basename "$source") copied; added: $(diff -rq "$source" "$ffi" | sed -n 's/^Only in [^:]*: //p' | xargs)"
    ! diff -rq "$source" "$ffi" | grep -v "^Only in $ffi: " || fail "the copy of $module differs from the module"
    # Our tests keep requiring the published module; this workspace, and nothing in go.mod, points them at the copy.
    printf 'go 1.24.0\n\nuse (\n\t%s\n\t%s\n)\n' "$root/cgo-test" "$ffi" >"$work/go.work"
}

# Go's cache key covers neither the header above the cgo package, nor filcrypto.pc, nor the library. An unused macro
# that covers them makes Go rebuild what depends on them, and only that.
key_go_cache() {
    local key
    key=$(nm -D --defined-only "$built/libfilcrypto.so" | awk '{ print $3 }' | cat - include/filcrypto.h "$built/filcrypto.pc" |
        sha256sum | cut -c 1-16)
    export CGO_CFLAGS="-g -O2 -DFILCRYPTO_CACHE_KEY=0x$key"
}

# count PATTERN FILE
count() { grep -cE "$1" "$2" || true; }

# run_tests NAME COMMAND...: keeps the output and insists that tests ran, that all passed and that none was skipped.
run_tests() {
    local name=$1 log=$work/$1.log
    shift
    "$@" 2>&1 | tee "$log" || fail "$name: see $log"
    passed=$(count '^--- PASS: ' "$log")
    [ "$(count '^ *--- (FAIL|SKIP): ' "$log")" = 0 ] || fail "$name: a test failed or was skipped, see $log"
    [ "$passed" -gt 0 ] || fail "$name: no test ran"
}

upstream() {
    local expected
    expected=$(cat "$ffi"/*_test.go "$ffi"/cgo/*_test.go | grep -c '^func Test')
    cd "$ffi"
    GOWORK=off run_tests upstream go test -count=1 -v -timeout 60m ./...
    cd "$root"
    [ "$passed" = "$expected" ] || fail "$passed of filecoin-ffi's $expected tests passed"
    say "filecoin-ffi's own tests: $passed of $expected passed, none skipped"
}

ours() {
    cd cgo-test
    GOWORK=$work/go.work run_tests ours go test -count=1 -v -timeout 60m "$@" .
    cd "$root"
    say "our tests: $passed passed, none skipped"
}

# One program, linked once, runs on two builds of the library that differ in their allocator; LD_LIBRARY_PATH alone
# chooses. Each run verifies what the other proved.
swap() {
    local program=$work/swap sum dir name libraries=()
    scripts/build-system-alloc.sh
    (cd cgo-test && GOWORK=$work/go.work go build -o "$program" ./swap)
    readelf -d "$program" | grep -F 'Shared library: [libfilcrypto.so]' ||
        fail "$program does not ask for libfilcrypto.so by name"
    sum=$(sha256sum "$program")
    for dir in "$built" "$root/target/system-alloc/release"; do
        name=$(basename "$(dirname "$dir")")
        libraries+=("$(sha256sum <"$dir/libfilcrypto.so")")
        say "swap: LD_LIBRARY_PATH=$dir"
        LD_LIBRARY_PATH=$dir "$program" prove "$TMPDIR/$name.proof" | tee "$work/swap.log"
        grep -qxF "library: $dir/libfilcrypto.so" "$work/swap.log" || fail "another library was mapped"
    done
    [ "${libraries[0]}" != "${libraries[1]}" ] || fail "both builds of the library are the same file"
    LD_LIBRARY_PATH=$built "$program" verify "$TMPDIR/system-alloc.proof"
    LD_LIBRARY_PATH=$root/target/system-alloc/release "$program" verify "$TMPDIR/target.proof"
    [ "$(sha256sum "$program")" = "$sum" ] || fail "the program changed between the runs"
    say "swap: program ${sum:0:16}, libraries ${libraries[0]:0:16} and ${libraries[1]:0:16}: each accepts the other's proof"
}

what=${1:-all}
[ $# = 0 ] || shift
prepare
case $what in
all)
    upstream
    ours
    swap
    ;;
upstream) upstream ;;
ours) ours "$@" ;;
swap) swap ;;
*) fail "unknown part '$what'" ;;
esac
