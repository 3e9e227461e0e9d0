/* FVM calls in a plain C program, which has none of the functions that a machine needs from its host. */
#include "check.h"

/* A CIDv1: dag-cbor, blake2b-256. */
static const uint8_t ROOT[38] = {0x01, 0x71, 0xa0, 0xe4, 0x02, 0x20};

#define CREATE(version, network, root)                                                                                 \
  create_fvm_machine(version, 1, 0, 314, 0, 0, 0, 0, network, root, false, false, 1, 1)
#define CREATE_DEBUG(version, network, root, redirect)                                                                 \
  create_fvm_debug_machine(version, 1, 0, 314, 0, 0, 0, 0, network, root, redirect, true, true, 1, 1)

static void names_the_missing_function(void) {
  const slice_ref_uint8_t root = bytes(ROOT, sizeof ROOT);
  for (int repeat = 0; repeat < 2; repeat++) {
    FAILS(MALFORMED, CREATE(FVM_REGISTERED_VERSION_V1, 21, root), "does not export the function cgo_blockstore_get");
    FAILS(MALFORMED, CREATE_DEBUG(FVM_REGISTERED_VERSION_V1, 16, root, NO_BYTES), "cgo_blockstore_get");
  }
  Result_InnerFvmMachine_ptr_t *none = CREATE(FVM_REGISTERED_VERSION_V1, 21, root);
  CHECK(none != NULL && none->status_code == 1 && none->value == NULL);
  TRY(SUCCESS, destroy_create_fvm_machine_response(none));
}

static void refuses_wrong_arguments_first(void) {
  static const uint32_t NETWORKS[] = {0, 15, 30, UINT32_MAX};
  const slice_ref_uint8_t root = bytes(ROOT, sizeof ROOT);
  for (size_t i = 0; i < 4; i++) {
    FAILS(MALFORMED, CREATE(FVM_REGISTERED_VERSION_V1, NETWORKS[i], root), "network version not supported");
    FAILS(MALFORMED, CREATE_DEBUG(FVM_REGISTERED_VERSION_V1, NETWORKS[i], root, NO_BYTES),
          "network version not supported");
  }
  static const uint8_t VERSIONS[] = {1, 20, 255};
  for (size_t i = 0; i < 3; i++) {
    FAILS(BAD_ENUM, CREATE(VERSIONS[i], 21, root), "FvmRegisteredVersion");
    FAILS(BAD_ENUM, CREATE_DEBUG(VERSIONS[i], 21, root, NO_BYTES), "FvmRegisteredVersion");
  }
  FAILS(EMPTY, CREATE(FVM_REGISTERED_VERSION_V1, 21, NULL_BYTES), "argument state_root is NULL");
  FAILS(EMPTY, CREATE(FVM_REGISTERED_VERSION_V1, 21, NO_BYTES), "invalid state root");
  FAILS(MALFORMED, CREATE(FVM_REGISTERED_VERSION_V1, 21, text("not a CID")), "invalid state root");
  FAILS(MALFORMED, CREATE(FVM_REGISTERED_VERSION_V1, 21, bytes(ROOT, 20)), "invalid state root");
  FAILS(EMPTY, CREATE_DEBUG(FVM_REGISTERED_VERSION_V1, 21, root, NULL_BYTES), "argument actor_redirect is NULL");
  FAILS(MALFORMED, CREATE_DEBUG(FVM_REGISTERED_VERSION_V1, 21, root, text("x")), "invalid redirect CID");
}

static void refuses_null_machines(void) {
  FAILS(EMPTY, fvm_machine_execute_message(NULL, text("message"), 0, 0), "argument executor is NULL");
  FAILS(EMPTY, fvm_machine_flush(NULL), "argument executor is NULL");
}

static void dummy_does_nothing(void) {
  TRY(SUCCESS, dummy(FVM_ERROR_NOT_FOUND));
  TRY(BAD_ENUM, dummy(INT32_MIN));
  TRY(BAD_ENUM, dummy(20));
}

static const struct check_case CASES[] = {
    {"names the missing function", names_the_missing_function},
    {"refuses wrong arguments first", refuses_wrong_arguments_first},
    {"refuses NULL machines", refuses_null_machines},
    {"dummy does nothing", dummy_does_nothing},
};
CHECK_MAIN("fvm", CASES)
