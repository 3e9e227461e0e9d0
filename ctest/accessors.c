/* What the library says about its proof types: names, circuits, files, content ids. */
#include "fixture.h"

#include <stdlib.h>

static bool starts_with(slice_boxed_uint8_t value, const char *prefix) {
  return value.len > strlen(prefix) && memcmp(value.ptr, prefix, strlen(prefix)) == 0;
}

static bool ends_with(slice_boxed_uint8_t value, const char *suffix) {
  const size_t len = strlen(suffix);
  return value.len > len && memcmp(value.ptr + value.len - len, suffix, len) == 0;
}

static const char *const SIZES[] = {"2KiB", "8MiB", "512MiB", "32GiB", "64GiB"};
/* How many sub-trees a sector's trees have decides the shape in the circuit's name. */
static const char *const SHAPES[] = {"8-0-0", "8-0-0", "8-0-0", "8-8-0", "8-8-2"};

static void names_every_seal_type(void) {
  static const char *const VERSIONS[] = {"V1", "V1_1", "V1_1_Feat_SyntheticPoRep", "V1_2_Feat_NonInteractivePoRep"};
  for (int32_t type = 0; type < SEAL_PROOFS; type++) {
    char expected[80];
    snprintf(expected, sizeof expected, "StackedDrg%s%s", SIZES[type % 5], VERSIONS[type / 5]);
    Result_slice_boxed_uint8_t *name = WORKS(get_seal_version(type));
    CHECK(same_bytes(name->value, expected, strlen(expected)));
    TRY(SUCCESS, destroy_string_response(name));
  }
}

static void names_every_post_type(void) {
  static const char *const KINDS[] = {"Winning", "Window", "Window"}, *const VERSIONS[] = {"V1", "V1", "V1_2"};
  for (int32_t type = 0; type < POST_PROOFS; type++) {
    char expected[80];
    snprintf(expected, sizeof expected, "StackedDrg%s%s%s", KINDS[type / 5], SIZES[type % 5], VERSIONS[type / 5]);
    Result_slice_boxed_uint8_t *name = WORKS(get_post_version(type));
    CHECK(same_bytes(name->value, expected, strlen(expected)));
    DESTROY(name);
  }
}

static void check_circuit(slice_boxed_uint8_t circuit, const char *prefix, const char *shape) {
  char expected[160];
  snprintf(expected, sizeof expected, "%s-merkletree-poseidon_hasher-%s-", prefix, shape);
  CHECK(starts_with(circuit, expected));
  CHECK(circuit.len > 64);
  for (size_t i = circuit.len - 64; i < circuit.len; i++) {
    CHECK(strchr("0123456789abcdef", circuit.ptr[i]) != NULL);
  }
}

/* <directory>/v28-<circuit>.<extension> */
static void check_file_name(slice_boxed_uint8_t path, slice_boxed_uint8_t circuit, const char *extension) {
  const char *dir = getenv("FIL_PROOFS_PARAMETER_CACHE");
  CHECK(dir != NULL && starts_with(path, dir));
  char expected[300];
  snprintf(expected, sizeof expected, "/v28-%.*s.%s", (int)circuit.len, (const char *)circuit.ptr, extension);
  CHECK(ends_with(path, expected));
}

static void places_the_files_of_seal_types(void) {
  for (int32_t type = 0; type < SEAL_PROOFS; type++) {
    Result_slice_boxed_uint8_t *circuit = WORKS(get_seal_circuit_identifier(type));
    Result_slice_boxed_uint8_t *params = WORKS(get_seal_params_path(type));
    Result_slice_boxed_uint8_t *key = WORKS(get_seal_verifying_key_path(type));
    check_circuit(circuit->value, "stacked-proof-of-replication", SHAPES[type % 5]);
    check_file_name(params->value, circuit->value, "params");
    check_file_name(key->value, circuit->value, "vk");
    DESTROY(circuit);
    DESTROY(params);
    DESTROY(key);
  }
}

static void places_the_files_of_post_types(void) {
  for (int32_t type = 0; type < POST_PROOFS; type++) {
    Result_slice_boxed_uint8_t *circuit = WORKS(get_post_circuit_identifier(type));
    Result_slice_boxed_uint8_t *params = WORKS(get_post_params_path(type));
    Result_slice_boxed_uint8_t *key = WORKS(get_post_verifying_key_path(type));
    check_circuit(circuit->value, "proof-of-spacetime-fallback", SHAPES[type % 5]);
    check_file_name(params->value, circuit->value, "params");
    check_file_name(key->value, circuit->value, "vk");
    DESTROY(circuit);
    DESTROY(params);
    DESTROY(key);
  }
}

static void check_cid(Result_slice_boxed_uint8_t *response) {
  CHECK(response->value.len == 46 && starts_with(response->value, "Qm"));
  DESTROY(response);
}

/* The manifest of production files holds all five sizes. */
static void knows_the_published_files(void) {
  for (int32_t type = 0; type < SEAL_PROOFS; type++) {
    check_cid(WORKS(get_seal_params_cid(type)));
    check_cid(WORKS(get_seal_verifying_key_cid(type)));
  }
  for (int32_t type = 0; type < POST_PROOFS; type++) {
    check_cid(WORKS(get_post_params_cid(type)));
    check_cid(WORKS(get_post_verifying_key_cid(type)));
  }
}

static void refuses_unknown_types(void) {
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS, {
    FAILS(BAD_ENUM, get_seal_version(type), "RegisteredSealProof");
    FAILS(BAD_ENUM, get_seal_circuit_identifier(type), "RegisteredSealProof");
    FAILS(BAD_ENUM, get_seal_params_path(type), "RegisteredSealProof");
    FAILS(BAD_ENUM, get_seal_params_cid(type), "RegisteredSealProof");
    FAILS(BAD_ENUM, get_seal_verifying_key_path(type), "RegisteredSealProof");
    FAILS(BAD_ENUM, get_seal_verifying_key_cid(type), "RegisteredSealProof");
  });
  WITH_UNKNOWN_ENUMS(type, POST_PROOFS, {
    FAILS(BAD_ENUM, get_post_version(type), "RegisteredPoStProof");
    FAILS(BAD_ENUM, get_post_circuit_identifier(type), "RegisteredPoStProof");
    FAILS(BAD_ENUM, get_post_params_path(type), "RegisteredPoStProof");
    FAILS(BAD_ENUM, get_post_params_cid(type), "RegisteredPoStProof");
    FAILS(BAD_ENUM, get_post_verifying_key_path(type), "RegisteredPoStProof");
    FAILS(BAD_ENUM, get_post_verifying_key_cid(type), "RegisteredPoStProof");
  });
}

static const struct check_case CASES[] = {
    {"names every seal type", names_every_seal_type},
    {"names every PoSt type", names_every_post_type},
    {"places the files of seal types", places_the_files_of_seal_types},
    {"places the files of PoSt types", places_the_files_of_post_types},
    {"knows the published files", knows_the_published_files},
    {"refuses unknown types", refuses_unknown_types},
};
CHECK_MAIN("accessors", CASES)
