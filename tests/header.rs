//! The committed headers are what cbindgen makes of the source. `FILCRYPTO_WRITE_HEADER=1` (`make header`) writes them.

use std::path::Path;

fn assert_fresh(header: &str, config: &str, source: impl FnOnce(cbindgen::Builder, &Path) -> cbindgen::Builder) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join(config)).expect("the configuration of cbindgen");
    let builder = source(cbindgen::Builder::new().with_config(config), root);
    let bindings = builder.generate().expect("cbindgen reads the source");
    let mut generated = Vec::new();
    bindings.write(&mut generated);

    let path = root.join(header);
    if std::env::var_os("FILCRYPTO_WRITE_HEADER").is_some() {
        std::fs::write(&path, &generated).expect("the header can be written");
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "{header} is stale: run `make header` and commit it"
    );
}

#[test]
fn header_is_fresh() {
    assert_fresh("include/filcrypto.h", "cbindgen.toml", |builder, root| {
        builder.with_crate(root)
    });
}

#[test]
fn header_of_the_additions_is_fresh() {
    let source = "src/ffi/resident.rs";
    let header = "include/filcrypto_resident.h";
    assert_fresh(header, "cbindgen_resident.toml", |builder, root| {
        builder.with_src(root.join(source))
    });
}
