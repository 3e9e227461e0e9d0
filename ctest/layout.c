/*
 * The layout that callers were compiled against: sizes, alignments, offsets, constants and prototypes. All is asserted
 * when this file compiles; with the argument `print` the program writes its table of sizes and offsets.
 */
#include "check.h"

/* Declares every function a second time. */
#include "contract.h"

#define TYPE(kind, type, size, align) _Static_assert(sizeof(type) == (size) && _Alignof(type) == (align), #type);
#define FIELD(of, field, offset, size)                                                                                 \
  _Static_assert(offsetof(struct of, field) == (offset), #of "." #field);                                              \
  _Static_assert(sizeof(((struct of *)0)->field) == (size), #of "." #field);
#include "layout.inc"
#undef TYPE
#undef FIELD

#define VALUE(name, number) _Static_assert((name) == (number), #name);
#include "values.inc"
#undef VALUE

/* cgo passes one proof type for another, which only works while they are the same integer. */
#define IS_INTEGER(type, integer) _Static_assert(_Generic((type)0, integer: 1, default: 0), #type);
IS_INTEGER(FCPResponseStatus_t, int32_t)
IS_INTEGER(RegisteredSealProof_t, int32_t)
IS_INTEGER(RegisteredPoStProof_t, int32_t)
IS_INTEGER(RegisteredAggregationProof_t, int32_t)
IS_INTEGER(RegisteredUpdateProof_t, int32_t)
IS_INTEGER(FvmRegisteredVersion_t, uint8_t)
IS_INTEGER(FvmError_t, int32_t)

static void print_layout(void) {
#define TYPE(kind, type, size, align) printf(#kind " " #type " %zu %zu\n", sizeof(type), _Alignof(type));
#define FIELD(of, field, offset, size)                                                                                 \
  printf("F " #of " " #field " %zu %zu\n", offsetof(struct of, field), sizeof(((struct of *)0)->field));
#include "layout.inc"
}

/* The library and this program agree on a struct that the library fills in. */
static void the_library_fills_in_the_same_layout(void) {
  Result_size_t *partitions = WORKS(get_num_partition_for_fallback_post(5, 5));
  CHECK(partitions->value == 3);
  TRY(SUCCESS, destroy_get_num_partition_for_fallback_post_response(partitions));
}

static const struct check_case CASES[] = {
    {"the library fills in the same layout", the_library_fills_in_the_same_layout},
};

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "print") == 0) {
    print_layout();
    return 0;
  }
  return check_main("layout", CASES, 1);
}
