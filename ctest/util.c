/* Memory, the log, the device list. The order of the cases matters: a log can be started once. */
#include "fixture.h"

#include <stdlib.h>
#include <unistd.h>

static void allocates_zeroed_slices(void) {
  slice_boxed_uint8_t slice = TRY(SUCCESS, alloc_boxed_slice(4096));
  CHECK(slice.ptr != NULL && slice.len == 4096);
  for (size_t i = 0; i < slice.len; i++) {
    CHECK(slice.ptr[i] == 0);
    slice.ptr[i] = 1;
  }
  TRY(SUCCESS, destroy_boxed_slice(slice));

  slice_boxed_uint8_t empty = TRY(EMPTY, alloc_boxed_slice(0));
  CHECK((uintptr_t)empty.ptr >= 4096 && empty.len == 0);
  TRY(EMPTY, destroy_boxed_slice(empty));
  TRY(EMPTY, destroy_boxed_slice((slice_boxed_uint8_t){NULL, 0}));
}

static void refuses_what_no_memory_holds(void) {
  static const size_t TOO_MUCH[] = {SIZE_MAX, SIZE_MAX / 2 + 1, (size_t)1 << 60};
  for (size_t i = 0; i < 3; i++) {
    slice_boxed_uint8_t none = TRY(MALFORMED, alloc_boxed_slice(TOO_MUCH[i]));
    CHECK(none.ptr == NULL && none.len == 0);
    destroy_boxed_slice(none);
  }
}

static void survives_a_malformed_filter(void) {
  setenv("RUST_LOG", "=a=b,,/[", 1);
  for (int repeat = 0; repeat < 2; repeat++) {
    FAILS(MALFORMED, init_log_fd(STDERR_FILENO), "RUST_LOG");
    FAILS(MALFORMED, get_gpu_devices(), "RUST_LOG");
  }
  unsetenv("RUST_LOG");
}

static void refuses_descriptors_that_are_not_open(void) {
  FAILS(MALFORMED, init_log_fd(-1), "descriptor -1");
  FAILS(MALFORMED, init_log_fd(INT32_MIN), "log_fd");
  FAILS(MALFORMED, init_log_fd(9999), "descriptor 9999");
}

static int log_fd;

static void starts_the_log_once(void) {
  char path[] = "/tmp/ctest-log-XXXXXX";
  log_fd = mkstemp(path);
  CHECK(log_fd >= 0 && unlink(path) == 0);
  setenv("RUST_LOG", "debug", 1);
  Result_void_t *started = WORKS(init_log_fd(log_fd));
  TRY(SUCCESS, destroy_init_log_fd_response(started));
  FAILS(MALFORMED, init_log_fd(log_fd), "There is already an active logger");
  CHECK(is_open(log_fd));
}

/* A wrong setting is an error that names it, and poisons nothing: the same call works once the setting is right. */
static void survives_malformed_settings(void) {
  static const char *const ROWS[][2] = {
      {"FIL_PROOFS_VERIFY_CACHE", "perhaps"},
      {"FIL_PROOFS_ROWS_TO_DISCARD", "two"},
      {"FIL_PROOFS_WINDOW_POST_SYNTHESIS_NUM_CPUS", "-1"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
    setenv(ROWS[i][0], ROWS[i][1], 1);
    for (int repeat = 0; repeat < 2; repeat++) {
      FAILS(MALFORMED, generate_data_commitment(0, NO_LIST(slice_ref_PublicPieceInfo_t)), ROWS[i][0]);
      FAILS(MALFORMED, get_gpu_devices(), ROWS[i][1]);
    }
    unsetenv(ROWS[i][0]);
  }
  DESTROY((Result_slice_boxed_slice_boxed_uint8_t *)WORKS(get_gpu_devices()));
}

static void logs_calls_to_the_descriptor(void) {
  char log[4096] = {0};
  CHECK(is_open(log_fd) && pread(log_fd, log, sizeof log - 1, 0) > 0);
  CHECK(strstr(log, "get_gpu_devices: start") != NULL && strstr(log, "get_gpu_devices: end") != NULL);
  close(log_fd);
}

static void lists_devices(void) {
  Result_slice_boxed_slice_boxed_uint8_t *devices = WORKS(get_gpu_devices());
  CHECK(devices->value.ptr != NULL);
  for (size_t i = 0; i < devices->value.len; i++) {
    CHECK(devices->value.ptr[i].len > 0);
  }
  TRY(SUCCESS, destroy_gpu_device_response(devices));
}

static const struct check_case CASES[] = {
    {"allocates zeroed slices", allocates_zeroed_slices},
    {"refuses what no memory holds", refuses_what_no_memory_holds},
    {"survives a malformed filter", survives_a_malformed_filter},
    {"refuses descriptors that are not open", refuses_descriptors_that_are_not_open},
    {"starts the log once", starts_the_log_once},
    {"survives malformed settings", survives_malformed_settings},
    {"logs calls to the descriptor", logs_calls_to_the_descriptor},
    {"lists devices", lists_devices},
};
CHECK_MAIN("util", CASES)
