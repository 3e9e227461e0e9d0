//! Link arguments of the shared object, and `filcrypto.pc` beside it. The header is not made here: `tests/header.rs`
//! holds the committed one fresh.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Executables record this name, so that LD_LIBRARY_PATH can swap the library.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libfilcrypto.so");
    // The exported names are generic; calls inside the library must never reach another object's `hash` or `verify`.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Tests of the FVM are hosts: the library finds their functions by name in the executable.
    println!("cargo:rustc-link-arg-tests=-rdynamic");
    write_pkg_config();
}

/// Writes `filcrypto.pc` into the folder that receives `libfilcrypto.so`. Both can then be copied anywhere together:
/// the file finds its folder through pkg-config's `pcfiledir`.
fn write_pkg_config() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    // OUT_DIR is <target>/<profile>/build/<package>/out.
    let pc = out.ancestors().nth(3).unwrap_or(Path::new(".")).join("filcrypto.pc");
    // The run path serves executables that are started without LD_LIBRARY_PATH, which overrides it.
    let text = format!(
        "Name: filcrypto\nVersion: {}\nDescription: {}\nLibs: -L${{pcfiledir}} -lfilcrypto -Wl,-rpath,${{pcfiledir}}\n",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_DESCRIPTION"),
    );
    fs::write(&pc, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", pc.display()));
}
