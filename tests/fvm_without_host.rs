//! A program that does not export the `cgo_*` functions runs, and is told by the first machine what is missing.

use filcrypto::ffi::destroy::destroy_create_fvm_machine_response;
use filcrypto::ffi::fvm::create_fvm_machine;
use filcrypto::ffi::types::slice_ref_uint8;

#[test]
fn a_missing_host_function_is_named() {
    // The identity CID of no bytes.
    let root = [1, 0x55, 0, 0];
    let root = slice_ref_uint8 {
        ptr: root.as_ptr(),
        len: root.len(),
    };
    for _ in 0..2 {
        // SAFETY: the slice outlives the call; the response is freed once, after its last use.
        unsafe {
            let response = create_fvm_machine(0, 0, 0, 0, 0, 0, 0, 0, 29, root, false, false, 1, 1);
            let error = String::from_utf8((*response).error_msg.as_slice().to_vec()).expect("UTF-8");
            assert!((*response).value.is_null());
            destroy_create_fvm_machine_response(response);
            assert!(
                error.starts_with("the program does not export the function cgo_blockstore_get"),
                "{error}"
            );
        }
    }
}
