/*
 * The harness of the C tests: tables of cases, checks, and a record of which function was called in which way.
 *
 * A program has one table of cases and calls check_main. A failed check ends its case, not the program.
 */
#ifndef CTEST_CHECK_H
#define CTEST_CHECK_H

#include <filcrypto.h>
#include <stdio.h>
#include <string.h>

struct check_case {
  const char *name;
  void (*run)(void);
};

/* Runs the table; a name as first program argument runs that case alone. Returns the exit status. */
int check_main(const char *program, const struct check_case *cases, size_t count);
#define CHECK_MAIN(program, cases)                                                                                     \
  int main(int argc, char **argv) {                                                                                    \
    check_only = argc > 1 ? argv[1] : NULL;                                                                            \
    return check_main(program, cases, sizeof(cases) / sizeof(cases[0]));                                               \
  }
extern const char *check_only;

/* Ends the running case as failed. Only on the main thread. */
_Noreturn void check_fail(const char *file, int line, const char *what, const char *detail);
#define CHECK(condition) ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, #condition, NULL))

/*
 * How a call is made. Each TRY is recorded; run.sh wants for every function of the header the ways that its signature
 * allows.
 */
enum way {
  SUCCESS,
  EMPTY,     /* a NULL pointer, or a slice without elements */
  MALFORMED, /* well-typed, but wrong: lengths, encodings, paths, descriptors */
  BAD_ENUM,  /* a number that is no member of the enumeration */
};
void check_note(enum way way, const char *call);
#define TRY(way, call) TRY_EXPANDED(way, call)
#define TRY_EXPANDED(way, call) (check_note(way, #call), (call))

/* A call that must return status 0. Gives the response. */
#define WORKS(call) check_works(TRY(SUCCESS, call), #call, __FILE__, __LINE__)
void *check_works(const void *response, const char *call, const char *file, int line);

/* A call that must return status 1 with an error text that contains `text`. Destroys the response. */
#define FAILS(way, call, text) DESTROYER(call)(check_fails(TRY(way, call), text, #call, __FILE__, __LINE__))
void *check_fails(const void *response, const char *text, const char *call, const char *file, int line);

/* A call that must answer with status 0 and this verdict. Destroys the response. */
#define VERDICT(way, expected, call)                                                                                   \
  destroy_verify_seal_response(check_verdict(TRY(way, call), expected, #call, __FILE__, __LINE__))
Result_bool_t *check_verdict(Result_bool_t *response, bool expected, const char *call, const char *file, int line);

/* Numbers that no enumeration of `count` members has. */
#define WITH_UNKNOWN_ENUMS(name, count, statement)                                                                     \
  do {                                                                                                                 \
    const int32_t unknown_[] = {-1, (count), INT32_MAX, INT32_MIN};                                                    \
    for (size_t at_ = 0; at_ < sizeof(unknown_) / sizeof(unknown_[0]); at_++) {                                        \
      const int32_t name = unknown_[at_];                                                                              \
      statement;                                                                                                       \
    }                                                                                                                  \
  } while (0)
enum { SEAL_PROOFS = 20, POST_PROOFS = 15, AGGREGATION_PROOFS = 2, UPDATE_PROOFS = 5 };

/* Any destructor of a response's type frees it. */
#define DESTROY(response) DESTROYER(response)(response)
#define DESTROYER(response)                                                                                            \
  _Generic((response),                                                                                                 \
      Result_bool_t *: destroy_verify_seal_response,                                                                   \
      Result_void_t *: destroy_unseal_range_response,                                                                  \
      Result_size_t *: destroy_get_num_partition_for_fallback_post_response,                                           \
      Result_uint8_32_array_t *: destroy_generate_data_commitment_response,                                            \
      Result_slice_boxed_uint8_t *: destroy_seal_pre_commit_phase1_response,                                           \
      Result_slice_boxed_uint64_t *: destroy_generate_winning_post_sector_challenge,                                   \
      Result_slice_boxed_PoStProof_t *: destroy_generate_winning_post_response,                                        \
      Result_slice_boxed_slice_boxed_uint8_t *: destroy_generate_empty_sector_update_partition_proof_response,         \
      Result_PoStProof_t *: destroy_merge_window_post_partition_proofs_response,                                       \
      Result_GenerateFallbackSectorChallenges_t *: destroy_generate_fallback_sector_challenges_response,               \
      Result_GenerateWindowPoSt_t *: destroy_generate_window_post_response,                                            \
      Result_GenerateSingleWindowPoStWithVanilla_t *: destroy_generate_single_window_post_with_vanilla_response,       \
      Result_WriteWithAlignment_t *: destroy_write_with_alignment_response,                                            \
      Result_WriteWithoutAlignment_t *: destroy_write_without_alignment_response,                                      \
      Result_SealPreCommitPhase2_t *: destroy_seal_pre_commit_phase2_response,                                         \
      Result_GeneratePieceCommitment_t *: destroy_generate_piece_commitment_response,                                  \
      Result_EmptySectorUpdateEncodeInto_t *: destroy_empty_sector_update_encode_into_response,                        \
      Result_InnerFvmMachine_ptr_t *: destroy_create_fvm_machine_response,                                             \
      Result_FvmMachineExecuteResponse_t *: destroy_fvm_machine_execute_response)

/* Borrowed slices. */
slice_ref_uint8_t bytes(const void *data, size_t len);
slice_ref_uint8_t text(const char *string);
slice_ref_uint8_t whole(slice_boxed_uint8_t boxed);
#define NO_BYTES bytes(NULL, 0)
#define NULL_BYTES bytes(NULL, 7) /* promises what is not there */
#define NUL_INSIDE bytes("a\0b", 3)
#define LIST(type, array) ((type){.ptr = (array), .len = sizeof(array) / sizeof((array)[0])})
#define NO_LIST(type) ((type){.ptr = NULL, .len = 0})
#define NULL_LIST(type) ((type){.ptr = NULL, .len = 3})

bool same_bytes(slice_boxed_uint8_t slice, const void *data, size_t len);
bool same_32(const uint8_32_array_t *a, const uint8_32_array_t *b);
/* 32 bytes of one value, with the last byte cleared so that they are a field element. */
uint8_32_array_t filled_32(uint8_t value);

#endif
