/* See check.h. */
#include "check.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>

const char *check_only;

static jmp_buf end_of_case;
static FILE *ways;

static const char *const WAY_NAMES[] = {"success", "empty", "malformed", "bad-enum"};

int check_main(const char *program, const struct check_case *cases, size_t count) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  const char *ways_path = getenv("CTEST_WAYS");
  ways = ways_path != NULL ? fopen(ways_path, "a") : NULL;
  size_t passed = 0;
  size_t failed = 0;
  for (size_t i = 0; i < count; i++) {
    if (check_only != NULL && strcmp(check_only, cases[i].name) != 0) {
      continue;
    }
    if (setjmp(end_of_case) == 0) {
      cases[i].run();
      passed++;
    } else {
      printf("  FAILED %s: %s\n", program, cases[i].name);
      failed++;
    }
  }
  if (ways != NULL) {
    fclose(ways);
  }
  printf("%s: %zu passed, %zu failed\n", program, passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

_Noreturn void check_fail(const char *file, int line, const char *what, const char *detail) {
  printf("  %s:%d: %s\n", file, line, what);
  if (detail != NULL) {
    printf("    %s\n", detail);
  }
  longjmp(end_of_case, 1);
}

void check_note(enum way way, const char *call) {
  if (ways == NULL) {
    return;
  }
  int name = 0;
  while (isalnum((unsigned char)call[name]) || call[name] == '_') {
    name++;
  }
  fprintf(ways, "%.*s %s\n", name, call, WAY_NAMES[way]);
  fflush(ways);
}

/* What every response begins with. */
struct head {
  FCPResponseStatus_t status_code;
  slice_boxed_uint8_t error_msg;
};

static struct head head_of(const void *response, const char *call, const char *file, int line) {
  if (response == NULL) {
    check_fail(file, line, call, "returned NULL");
  }
  struct head head;
  memcpy(&head, response, sizeof head);
  return head;
}

static _Noreturn void fail_with_head(struct head head, const char *call, const char *file, int line) {
  char detail[1024];
  snprintf(detail, sizeof detail, "status %d, error \"%.*s\"", head.status_code, (int)head.error_msg.len,
           (const char *)head.error_msg.ptr);
  check_fail(file, line, call, detail);
}

void *check_works(const void *response, const char *call, const char *file, int line) {
  struct head head = head_of(response, call, file, line);
  if (head.status_code != F_C_P_RESPONSE_STATUS_NO_ERROR || head.error_msg.len != 0) {
    fail_with_head(head, call, file, line);
  }
  return (void *)response;
}

static bool contains(slice_boxed_uint8_t message, const char *text) {
  size_t len = strlen(text);
  for (size_t at = 0; at + len <= message.len; at++) {
    if (memcmp(message.ptr + at, text, len) == 0) {
      return true;
    }
  }
  return false;
}

void *check_fails(const void *response, const char *text, const char *call, const char *file, int line) {
  struct head head = head_of(response, call, file, line);
  if (head.status_code != F_C_P_RESPONSE_STATUS_UNCLASSIFIED_ERROR || head.error_msg.len == 0 ||
      !contains(head.error_msg, text)) {
    printf("  expected an error with \"%s\"\n", text);
    fail_with_head(head, call, file, line);
  }
  return (void *)response;
}

Result_bool_t *check_verdict(Result_bool_t *response, bool expected, const char *call, const char *file, int line) {
  struct head head = head_of(response, call, file, line);
  if (head.status_code != F_C_P_RESPONSE_STATUS_NO_ERROR) {
    fail_with_head(head, call, file, line);
  }
  if (response->value != expected) {
    check_fail(file, line, call, expected ? "was rejected" : "was accepted");
  }
  return response;
}

slice_ref_uint8_t bytes(const void *data, size_t len) { return (slice_ref_uint8_t){.ptr = data, .len = len}; }

slice_ref_uint8_t text(const char *string) { return bytes(string, strlen(string)); }

slice_ref_uint8_t whole(slice_boxed_uint8_t boxed) { return bytes(boxed.ptr, boxed.len); }

bool same_bytes(slice_boxed_uint8_t slice, const void *data, size_t len) {
  return slice.len == len && (len == 0 || memcmp(slice.ptr, data, len) == 0);
}

bool same_32(const uint8_32_array_t *a, const uint8_32_array_t *b) { return memcmp(a, b, sizeof *a) == 0; }

uint8_32_array_t filled_32(uint8_t value) {
  uint8_32_array_t array;
  memset(&array, value, sizeof array);
  array.idx[31] = 0;
  return array;
}
