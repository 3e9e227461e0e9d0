/* What the sanitizers must catch, so that their silence about the tests means something: a leak, and a second free. */
#include <filcrypto.h>
#include <string.h>

static Result_slice_boxed_uint8_t *response(void) {
  return get_seal_version(REGISTERED_SEAL_PROOF_STACKED_DRG2_KI_B_V1);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "leak") == 0) {
    for (int i = 0; i < 10; i++) {
      (void)response();
    }
  } else {
    Result_slice_boxed_uint8_t *once = response();
    destroy_string_response(once);
    destroy_string_response(once);
  }
  return 0;
}
