/*
 * Sealed 2 KiB sectors for the tests. Each is made once a run, under the directory $CTEST_WORK, and found there by the
 * programs that come later.
 */
#ifndef CTEST_FIXTURE_H
#define CTEST_FIXTURE_H

#include "check.h"

enum {
  SECTOR_BYTES = 2048,
  USER_BYTES = 2032, /* what fits in unpadded */
  SEAL_2K = REGISTERED_SEAL_PROOF_STACKED_DRG2_KI_B_V1_1,
  SYNTHETIC_2K = REGISTERED_SEAL_PROOF_STACKED_DRG2_KI_B_V1_1__FEAT__SYNTHETIC_PO_REP,
  WINNING_2K = REGISTERED_PO_ST_PROOF_STACKED_DRG_WINNING2_KI_B_V1,
  WINDOW_2K = REGISTERED_PO_ST_PROOF_STACKED_DRG_WINDOW2_KI_B_V1_1,
  UPDATE_2K = REGISTERED_UPDATE_PROOF_STACKED_DRG2_KI_B_V1,
  PROOF_BYTES = 192,
};

struct path {
  char at[512];
};

/* A sector with two pieces of 127 and 1016 bytes. Everything in it is determined by its id. */
struct sector {
  RegisteredSealProof_t proof_type;
  uint64_t id;
  uint8_32_array_t prover, ticket, seed, comm_d, comm_r;
  PublicPieceInfo_t pieces[2];
  struct path dir, staged, sealed, cache;
  uint8_t user_data[USER_BYTES]; /* as unsealing gives it back */
};

/* The sector after PC2; sealed now unless an earlier program did. */
struct sector sealed_sector(RegisteredSealProof_t proof_type, uint64_t id);
/* The sector with its pieces staged, not sealed. */
struct sector staged_sector(RegisteredSealProof_t proof_type, uint64_t id);
slice_ref_PublicPieceInfo_t pieces_of(const struct sector *sector);

/* The C1 document; destroy it. */
Result_slice_boxed_uint8_t *commit_phase1(const struct sector *sector);
/* The C2 proof: proved once a run. Free it with destroy_boxed_slice. */
slice_boxed_uint8_t seal_proof_of(const struct sector *sector);

/* A Winning or Window PoSt over the one sector for the randomness POST_RANDOMNESS, proved once a run. */
uint8_32_array_t post_randomness(void);
slice_boxed_uint8_t post_proof_of(const struct sector *sector, RegisteredPoStProof_t proof_type);
/* The sector as PoSt calls want it. Free the two paths with release_replica, unless a call took them over. */
PrivateReplicaInfo_t private_replica(const struct sector *sector, RegisteredPoStProof_t proof_type);
PublicReplicaInfo_t public_replica(const struct sector *sector, RegisteredPoStProof_t proof_type);
void release_replica(PrivateReplicaInfo_t *replica);

/* A slice in the library's memory, as callers make them for lists of proofs and for paths. */
slice_boxed_uint8_t boxed(const void *data, size_t len);

/* Files. All fail the running case when they cannot. */
struct path work_path(const char *name);
struct path inside(const struct path *dir, const char *name);
slice_ref_uint8_t path_bytes(const struct path *path);
/* An empty directory; what was there is removed. */
struct path fresh_dir(const char *name);
void write_file(const struct path *path, const void *data, size_t len);
slice_boxed_uint8_t read_file(const struct path *path);
bool exists(const struct path *path);
void copy_file(const struct path *from, const struct path *to);
void copy_dir(const struct path *from, const struct path *to);
int open_file(const struct path *path, int flags);
bool is_open(int fd);

#endif
