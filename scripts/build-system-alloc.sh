#!/usr/bin/env bash
# Builds the library with the system allocator into target/system-alloc/release, for sanitizers and for the swap test.
# Only this package differs from the normal build, so its dependencies are copied from there and not compiled again.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ ! -d target/system-alloc/release ] && [ -d target/release ]; then
    mkdir -p target/system-alloc.partial
    cp -a target/release target/system-alloc.partial/
    mv target/system-alloc.partial target/system-alloc
fi
cargo build --release --locked --lib --no-default-features --target-dir target/system-alloc
