//! The committed header is what cbindgen makes of the source. `FILCRYPTO_WRITE_HEADER=1` (`make header`) writes it.

use std::path::Path;

#[test]
fn header_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_crate(root)
        .generate()
        .expect("cbindgen reads the source");
    let mut generated = Vec::new();
    bindings.write(&mut generated);

    let path = root.join("include/filcrypto.h");
    if std::env::var_os("FILCRYPTO_WRITE_HEADER").is_some() {
        std::fs::write(&path, &generated).expect("the header can be written");
    }
    let committed = std::fs::read(&path).expect("include/filcrypto.h can be read");
    assert!(
        committed == generated,
        "include/filcrypto.h is stale: run `make header` and commit it"
    );
}
