/*
 * What loading the library does to a process, which is nothing, and whether another object's `hash`, `verify` and
 * `aggregate` can capture the library's own calls, which they cannot. This program is not linked with the library: it
 * loads it, and exports those three names itself.
 */
#include "check.h"

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>

static int captured;

uint8_96_array_t *hash(slice_ref_uint8_t message) {
  (void)message;
  captured++;
  return NULL;
}

uint8_96_array_t *aggregate(slice_ref_uint8_t signatures) {
  (void)signatures;
  captured++;
  return NULL;
}

bool verify(slice_ref_uint8_t signature, slice_ref_uint8_t digests, slice_ref_uint8_t keys) {
  (void)signature, (void)digests, (void)keys;
  captured++;
  return false;
}

/* What a constructor could have changed. */
struct process {
  size_t threads, descriptors;
  struct sigaction signals[65];
};

static size_t entries(const char *path) {
  DIR *dir = opendir(path);
  CHECK(dir != NULL);
  size_t count = 0;
  while (readdir(dir) != NULL) {
    count++;
  }
  closedir(dir);
  return count;
}

static struct process look_at_process(void) {
  struct process process;
  memset(&process, 0, sizeof process);
  process.threads = entries("/proc/self/task");
  process.descriptors = entries("/proc/self/fd");
  for (int signal = 1; signal <= 64; signal++) {
    sigaction(signal, NULL, &process.signals[signal]);
  }
  return process;
}

static void *library;

static void loading_changes_nothing(void) {
  const struct process before = look_at_process();
  library = dlopen("libfilcrypto.so", RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    check_fail(__FILE__, __LINE__, "dlopen", dlerror());
  }
  const struct process after = look_at_process();
  CHECK(before.threads == after.threads);
  CHECK(before.descriptors == after.descriptors);
  for (int signal = 1; signal <= 64; signal++) {
    CHECK(before.signals[signal].sa_handler == after.signals[signal].sa_handler);
    CHECK(before.signals[signal].sa_flags == after.signals[signal].sa_flags);
    for (int masked = 1; masked <= 64; masked++) {
      CHECK(sigismember(&before.signals[signal].sa_mask, masked) ==
            sigismember(&after.signals[signal].sa_mask, masked));
    }
  }
}

/* ISO C has no conversion from an object pointer to a function pointer; POSIX promises that this one works. */
#define FROM_LIBRARY(name)                                                                                             \
  __typeof__(&name) lib_##name;                                                                                        \
  find(#name, &lib_##name)

static void find(const char *name, void *function) {
  void *address = dlsym(library, name);
  if (address == NULL) {
    check_fail(__FILE__, __LINE__, "dlsym", name);
  }
  memcpy(function, &address, sizeof address);
}

static void calls_inside_are_not_captured(void) {
  CHECK(library != NULL);
  FROM_LIBRARY(private_key_generate);
  FROM_LIBRARY(private_key_public_key);
  FROM_LIBRARY(private_key_sign);
  FROM_LIBRARY(hash);
  FROM_LIBRARY(aggregate);
  FROM_LIBRARY(verify);
  FROM_LIBRARY(hash_verify);
  FROM_LIBRARY(get_seal_version);
  FROM_LIBRARY(destroy_string_response);
  FROM_LIBRARY(destroy_box_bls_private_key);
  FROM_LIBRARY(destroy_box_bls_public_key);
  FROM_LIBRARY(destroy_box_bls_signature);
  CHECK(lib_hash != hash && lib_aggregate != aggregate && lib_verify != verify);

  const size_t len = 7;
  uint8_32_array_t *key = lib_private_key_generate();
  uint8_48_array_t *public = lib_private_key_public_key(bytes(key, 32));
  uint8_96_array_t *signature = lib_private_key_sign(bytes(key, 32), text("message"));
  uint8_96_array_t *digest = lib_hash(text("message"));
  uint8_96_array_t *sum = lib_aggregate(bytes(signature, 96));
  CHECK(key != NULL && public != NULL && signature != NULL && digest != NULL && sum != NULL);
  CHECK(lib_verify(bytes(sum, 96), bytes(digest, 96), bytes(public, 48)));
  CHECK(lib_hash_verify(bytes(sum, 96), text("message"), (slice_ref_size_t){&len, 1}, bytes(public, 48)));
  Result_slice_boxed_uint8_t *name = lib_get_seal_version(0);
  CHECK(name != NULL && name->status_code == 0);
  lib_destroy_string_response(name);
  lib_destroy_box_bls_private_key(key);
  lib_destroy_box_bls_public_key(public);
  lib_destroy_box_bls_signature(signature);
  lib_destroy_box_bls_signature(digest);
  lib_destroy_box_bls_signature(sum);
  CHECK(captured == 0);
  /* The names do mean this program's functions to everyone else. */
  CHECK(hash(NO_BYTES) == NULL && dlsym(RTLD_DEFAULT, "hash") == (void *)(uintptr_t)&hash && captured == 1);
}

static const struct check_case CASES[] = {
    {"loading changes nothing", loading_changes_nothing},
    {"calls inside are not captured", calls_inside_are_not_captured},
};
CHECK_MAIN("load", CASES)
