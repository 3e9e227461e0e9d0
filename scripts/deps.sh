#!/usr/bin/env bash
# Installs what building and testing need and this machine lacks: system packages, and Go into target/go where PATH
# has none or too old a one. Where all is there it does nothing and needs no network.
set -euo pipefail
cd "$(dirname "$0")/.."

# The oldest Go that filecoin-ffi v1.36.1 builds with, and the one that its go.mod names.
go_oldest=1.24.0
go_version=1.24.7

say() { echo "deps: $*"; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        say "this needs root and there is no sudo; run as root: $*" >&2
        exit 1
    fi
}

# apt_install PACKAGE...
apt_install() {
    if ! command -v apt-get >/dev/null; then
        say "no apt-get here; install by hand what these Debian packages hold: $*" >&2
        exit 1
    fi
    say "installing $*"
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# lacking COMMAND PACKAGE: notes the package where the command is not there.
packages=()
lacking() {
    command -v "$1" >/dev/null || packages+=("$2")
}

lacking gcc gcc
lacking g++ g++
lacking readelf binutils
lacking pkg-config pkg-config
lacking qemu-x86_64 qemu-user
[ -e /usr/include/stdio.h ] || packages+=(libc6-dev)
[ -e /etc/ssl/certs/ca-certificates.crt ] || packages+=(ca-certificates)

# go_suits COMMAND: whether this Go exists and is new enough.
go_suits() {
    local found
    found=$(GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null) || return 1
    [ "$(printf '%s\n' "$go_oldest" "${found#go}" | sort -V | head -n 1)" = "$go_oldest" ]
}

go_missing=false
if ! go_suits go && ! go_suits target/go/bin/go; then
    go_missing=true
    # Debian's Go is too old for the tests, but it can fetch the right one.
    lacking go golang-go
fi

[ "${#packages[@]}" = 0 ] || apt_install "${packages[@]}"

# Go's releases are modules too: an old Go fetches a new one from the module proxy and checks its sum.
fetch_go() {
    local scratch=target/go.part module dir
    module=golang.org/toolchain@v0.0.1-go$go_version.$(go env GOOS)-$(go env GOARCH)
    say "fetching Go $go_version into target/go"
    rm -rf "$scratch" target/go
    mkdir -p "$scratch"
    GOTOOLCHAIN=local GOFLAGS=-modcacherw GOMODCACHE=$PWD/$scratch go mod download "$module"
    dir=$scratch/${module}
    # A module's zip keeps no modes and no go.mod of other modules; Go's own tools undo both in the same way.
    chmod -R +x "$dir/bin" "$dir/pkg/tool"
    find "$dir" -name _go.mod -execdir mv {} go.mod \;
    mv "$dir" target/go
    rm -rf "$scratch"
}

if $go_missing && ! go_suits go; then
    fetch_go
    go_suits target/go/bin/go || { say "target/go/bin/go does not run" >&2; exit 1; }
fi
