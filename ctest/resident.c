/* The additions of filcrypto_resident.h. The order of the cases matters: the SRS is resident from one to another. */
#include "fixture.h"

#include <filcrypto_resident.h>

static bool contains(const Result_slice_boxed_uint8_t *response, const char *part) {
  return memmem(response->value.ptr, response->value.len, part, strlen(part)) != NULL;
}

static void tells_its_version(void) {
  Result_slice_boxed_uint8_t *version = WORKS(filcrypto_version());
  CHECK(version->value.ptr[0] == '{');
  CHECK(contains(version, "\"drop_in_for\":\"filecoin-ffi v1.36.1\"") && contains(version, "\"allocator\":"));
  TRY(SUCCESS, filcrypto_destroy_text(version));
}

static void tells_its_settings(void) {
  Result_slice_boxed_uint8_t *settings = WORKS(filcrypto_settings());
  CHECK(settings->value.ptr[0] == '[');
  CHECK(contains(settings, "\"parameter_cache\"") && contains(settings, "environment variable FIL_PROOFS_PARAMETER_CACHE"));
  CHECK(contains(settings, "\"FILCRYPTO_SRS_BUDGET\""));
  filcrypto_destroy_text(settings);
}

static void refuses_unknown_kinds_and_sizes(void) {
  WITH_UNKNOWN_ENUMS(kind, 4, {
    FAILS(BAD_ENUM, filcrypto_srs_preload(kind, SECTOR_BYTES), "FILCRYPTO_KIND");
    FAILS(BAD_ENUM, filcrypto_srs_evict(kind, SECTOR_BYTES), "FILCRYPTO_KIND");
  });
  static const uint64_t SIZES[] = {0, 2047, SECTOR_BYTES * 2, UINT64_MAX};
  for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
    FAILS(MALFORMED, filcrypto_srs_preload(FILCRYPTO_KIND_WINNING, SIZES[i]), "there are no sectors of");
    FAILS(MALFORMED, filcrypto_srs_evict(FILCRYPTO_KIND_WINNING, SIZES[i]), "there are no sectors of");
  }
}

static void names_a_missing_parameter_file(void) {
  FAILS(MALFORMED, filcrypto_srs_preload(FILCRYPTO_KIND_WINNING, (uint64_t)64 << 30), ".params: cannot be read");
}

static void keeps_an_srs_resident(void) {
  for (int repeat = 0; repeat < 2; repeat++) {
    Result_void_t *loaded = WORKS(filcrypto_srs_preload(FILCRYPTO_KIND_WINNING, SECTOR_BYTES));
    TRY(SUCCESS, filcrypto_destroy_void(loaded));
  }
  Result_slice_boxed_uint8_t *status = WORKS(filcrypto_srs_status());
  CHECK(status->value.ptr[0] == '{' && contains(status, "\"budget_bytes\":") && contains(status, "\"work\":[]"));
  CHECK(contains(status, "\"state\":\"resident\"") && contains(status, "\"leases\":0"));
  filcrypto_destroy_text(status);

  Result_slice_boxed_uint8_t *metrics = WORKS(filcrypto_metrics());
  CHECK(contains(metrics, "# TYPE filcrypto_srs_loads_total counter\nfilcrypto_srs_loads_total{origin="));
  CHECK(contains(metrics, "filcrypto_srs_load_seconds_count{origin="));
  filcrypto_destroy_text(metrics);
}

static void evicts_it(void) {
  Result_bool_t *evicted = WORKS(filcrypto_srs_evict(FILCRYPTO_KIND_WINNING, SECTOR_BYTES));
  CHECK(evicted->value);
  TRY(SUCCESS, filcrypto_destroy_bool(evicted));
  evicted = WORKS(filcrypto_srs_evict(FILCRYPTO_KIND_WINNING, SECTOR_BYTES));
  CHECK(!evicted->value);
  filcrypto_destroy_bool(evicted);
}

static void records_a_timeline(void) {
  FAILS(MALFORMED, filcrypto_timeline_stop(), "no timeline is being recorded");
  FAILS(EMPTY, filcrypto_timeline_start(NO_BYTES), "cannot be written");
  FAILS(EMPTY, filcrypto_timeline_start(NULL_BYTES), "path");
  FAILS(MALFORMED, filcrypto_timeline_start(NUL_INSIDE), "path");
  FAILS(MALFORMED, filcrypto_timeline_start(text("/no/such/directory/timeline.json")), "cannot be written");

  struct path file = work_path("timeline.json");
  filcrypto_destroy_void(WORKS(filcrypto_timeline_start(path_bytes(&file))));
  FAILS(MALFORMED, filcrypto_timeline_start(path_bytes(&file)), "stop it first");
  filcrypto_destroy_void(WORKS(filcrypto_srs_preload(FILCRYPTO_KIND_WINNING, SECTOR_BYTES)));
  filcrypto_destroy_void(WORKS(filcrypto_timeline_stop()));
  slice_boxed_uint8_t json = read_file(&file);
  CHECK(memmem(json.ptr, json.len, "\"traceEvents\":[", 15) != NULL);
  CHECK(memmem(json.ptr, json.len, "\"name\":\"load SRS\"", 17) != NULL);
  destroy_boxed_slice(json);
}

static void destroys_nothing(void) {
  TRY(EMPTY, filcrypto_destroy_text(NULL));
  TRY(EMPTY, filcrypto_destroy_void(NULL));
  TRY(EMPTY, filcrypto_destroy_bool(NULL));
}

static const struct check_case CASES[] = {
    {"tells its version", tells_its_version},
    {"tells its settings", tells_its_settings},
    {"refuses unknown kinds and sizes", refuses_unknown_kinds_and_sizes},
    {"names a missing parameter file", names_a_missing_parameter_file},
    {"keeps an SRS resident", keeps_an_srs_resident},
    {"evicts it", evicts_it},
    {"records a timeline", records_a_timeline},
    {"destroys nothing", destroys_nothing},
};
CHECK_MAIN("resident", CASES)
