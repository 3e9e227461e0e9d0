# Two commands: `make demo` and `make test`. Both do all their own set-up.
SHELL := /bin/bash
export FIL_PROOFS_PARAMETER_CACHE ?= $(CURDIR)/target/params

.PHONY: deps build header params demo test

# System packages and, where PATH has none or too old a one, Go.
deps:
	scripts/deps.sh

build: deps
	cargo build --release --locked

# Writes the headers in include/ anew from src/ffi.
header:
	FILCRYPTO_WRITE_HEADER=1 cargo test --release --locked --test header

# Local 2 KiB parameters for testing: insecure, never for a real network.
params: build
	target/release/filcrypto params --sector-size 2KiB --kinds porep,winning,window,update --srs 32

demo: build params
	ctest/run.sh demo

test: build params
	cargo test --release --locked
	ctest/run.sh
	cgo-test/run.sh
