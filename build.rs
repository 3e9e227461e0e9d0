//! Link arguments of the shared object. The header is not made here: `tests/header.rs` holds the committed one fresh.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Executables record this name, so that LD_LIBRARY_PATH can swap the library.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libfilcrypto.so");
    // The exported names are generic; calls inside the library must never reach another object's `hash` or `verify`.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Tests of the FVM are hosts: the library finds their functions by name in the executable.
    println!("cargo:rustc-link-arg-tests=-rdynamic");
}
