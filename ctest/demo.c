/*
 * The life of a Filecoin sector, through the C interface of libfilcrypto.so.
 *
 * A sector of 2 KiB random bytes is sealed (pieces, PC1, PC2, C1, C2), its proof verified, its data unsealed, and a
 * Winning PoSt proved over it. Tampered proofs are rejected. Real sectors differ only in size: 32 or 64 GiB.
 *
 * Build and run it with `make demo`. It ends with status 0 only if everything was right. An argument names a file for the
 * timeline of the run.
 */
#include <fcntl.h>
#include <filcrypto.h>
#include <filcrypto_resident.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  SEAL_PROOF = REGISTERED_SEAL_PROOF_STACKED_DRG2_KI_B_V1_1,
  POST_PROOF = REGISTERED_PO_ST_PROOF_STACKED_DRG_WINNING2_KI_B_V1,
  SECTOR_ID = 42,
  PIECE_BYTES = 1016, /* two of them fill the sector: of 2048 bytes, 2032 are the user's */
  USER_BYTES = 2 * PIECE_BYTES,
  MAX_PHASES = 24,
};

/* ---- phases: what is printed in the end ---- */

struct phase {
  const char *name;
  double seconds;
  long peak_kib;
};

static struct phase phases[MAX_PHASES];
static size_t phase_count;
static struct timespec phase_start;

/* The largest resident size since the last reset, in KiB. */
static long peak_rss_kib(void) {
  long kib = 0;
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (status != NULL && fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmHWM: %ld kB", &kib) == 1) {
      break;
    }
  }
  if (status != NULL) {
    fclose(status);
  }
  return kib;
}

static void reset_peak_rss(void) {
  FILE *clear = fopen("/proc/self/clear_refs", "w");
  if (clear != NULL) {
    fputs("5", clear);
    fclose(clear);
  }
}

static void begin(const char *name) {
  phases[phase_count].name = name;
  printf("%-38s", name);
  fflush(stdout);
  reset_peak_rss();
  clock_gettime(CLOCK_MONOTONIC, &phase_start);
}

static void end(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct phase *phase = &phases[phase_count++];
  phase->seconds = (double)(now.tv_sec - phase_start.tv_sec) + (double)(now.tv_nsec - phase_start.tv_nsec) / 1e9;
  phase->peak_kib = peak_rss_kib();
  printf("done\n");
}

static void print_phases(void) {
  printf("\n%-38s %12s %14s\n", "phase", "time", "peak RSS");
  for (size_t i = 0; i < phase_count; i++) {
    printf("%-38s %10.3f s %10.1f MiB\n", phases[i].name, phases[i].seconds, (double)phases[i].peak_kib / 1024);
  }
}

/* ---- errors ---- */

static char work[] = "/tmp/filcrypto-demo-XXXXXX";

static void clean_up(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", work);
  if (system(command) != 0) {
    fprintf(stderr, "%s could not be removed\n", work);
  }
}

_Noreturn static void give_up(const char *what, const char *why) {
  fprintf(stderr, "\n%s: %s\n", what, why);
  exit(EXIT_FAILURE);
}

static void expect(bool right, const char *what) {
  if (!right) {
    give_up(what, "that is wrong");
  }
}

/* Every response begins with its status and error text. */
static void *succeeded(const char *call, void *response) {
  struct {
    FCPResponseStatus_t status;
    slice_boxed_uint8_t error;
  } head;
  memcpy(&head, response, sizeof head);
  if (head.status != F_C_P_RESPONSE_STATUS_NO_ERROR) {
    char text[2048];
    snprintf(text, sizeof text, "%.*s", (int)head.error.len, (const char *)head.error.ptr);
    give_up(call, text);
  }
  return response;
}
#define SUCCEEDED(call) succeeded(#call, call)

/* ---- small helpers ---- */

static slice_ref_uint8_t path(const char *string) {
  return (slice_ref_uint8_t){.ptr = (const uint8_t *)string, .len = strlen(string)};
}

static slice_ref_uint8_t borrowed(slice_boxed_uint8_t owned) {
  return (slice_ref_uint8_t){.ptr = owned.ptr, .len = owned.len};
}

static slice_boxed_uint8_t copied(slice_ref_uint8_t from) {
  slice_boxed_uint8_t copy = alloc_boxed_slice(from.len);
  memcpy(copy.ptr, from.ptr, from.len);
  return copy;
}

static uint8_32_array_t random_32(void) {
  uint8_32_array_t value;
  expect(getrandom(&value, sizeof value, 0) == sizeof value, "getrandom");
  value.idx[31] &= 0x3f; /* randomness is a number below the order of the BLS12-381 scalar field */
  return value;
}

static int opened(const char *file, int flags) {
  int fd = open(file, flags, 0666);
  if (fd < 0) {
    give_up("open", file);
  }
  return fd;
}

/* ---- the sector ---- */

struct sector {
  uint8_t user_data[USER_BYTES];
  char cache[64], staged[64], sealed[64], unsealed[64];
  uint8_32_array_t prover, ticket, seed, comm_d, comm_r;
  PublicPieceInfo_t pieces[2];
};

static struct sector new_sector(void) {
  struct sector sector;
  if (mkdtemp(work) == NULL) {
    give_up("mkdtemp", work);
  }
  atexit(clean_up);
  snprintf(sector.cache, sizeof sector.cache, "%s/cache", work);
  snprintf(sector.staged, sizeof sector.staged, "%s/staged", work);
  snprintf(sector.sealed, sizeof sector.sealed, "%s/sealed", work);
  snprintf(sector.unsealed, sizeof sector.unsealed, "%s/unsealed", work);
  expect(mkdir(sector.cache, 0777) == 0, sector.cache);
  close(opened(sector.sealed, O_CREAT | O_WRONLY));
  expect(getrandom(sector.user_data, USER_BYTES, 0) == USER_BYTES, "getrandom");
  sector.prover = random_32(); /* the miner's id; any 32 bytes */
  sector.ticket = random_32(); /* from the chain, before sealing */
  sector.seed = random_32();   /* from the chain, after CommR is published */
  return sector;
}

static slice_ref_PublicPieceInfo_t pieces_of(const struct sector *sector) {
  return (slice_ref_PublicPieceInfo_t){.ptr = sector->pieces, .len = 2};
}

/* A descriptor at the start of a file that holds one piece. */
static int piece_of(const struct sector *sector, size_t index) {
  char file[64];
  snprintf(file, sizeof file, "%s/piece-%zu", work, index);
  int fd = opened(file, O_CREAT | O_RDWR);
  expect(write(fd, sector->user_data + index * PIECE_BYTES, PIECE_BYTES) == PIECE_BYTES, file);
  lseek(fd, 0, SEEK_SET);
  return fd;
}

static void stage_pieces(struct sector *sector) {
  static const uint64_t FIRST[] = {PIECE_BYTES};
  int staged = opened(sector->staged, O_CREAT | O_RDWR);
  int first = piece_of(sector, 0), second = piece_of(sector, 1);
  Result_WriteWithoutAlignment_t *one = SUCCEEDED(write_without_alignment(SEAL_PROOF, first, PIECE_BYTES, staged));
  Result_WriteWithAlignment_t *two = SUCCEEDED(
      write_with_alignment(SEAL_PROOF, second, PIECE_BYTES, staged, (slice_ref_uint64_t){.ptr = FIRST, .len = 1}));
  sector->pieces[0] = (PublicPieceInfo_t){.num_bytes = PIECE_BYTES, .comm_p = one->value.comm_p};
  sector->pieces[1] = (PublicPieceInfo_t){.num_bytes = PIECE_BYTES, .comm_p = two->value.comm_p};
  destroy_write_without_alignment_response(one);
  destroy_write_with_alignment_response(two);
  close(first);
  close(second);
  close(staged);
}

static void pre_commit(struct sector *sector) {
  begin("PC1: labels the layers");
  Result_slice_boxed_uint8_t *pc1 =
      SUCCEEDED(seal_pre_commit_phase1(SEAL_PROOF, path(sector->cache), path(sector->staged), path(sector->sealed),
                                       SECTOR_ID, &sector->prover, &sector->ticket, pieces_of(sector)));
  end();
  begin("PC2: trees and replica");
  Result_SealPreCommitPhase2_t *pc2 =
      SUCCEEDED(seal_pre_commit_phase2(borrowed(pc1->value), path(sector->cache), path(sector->sealed)));
  end();
  sector->comm_d = pc2->value.comm_d;
  sector->comm_r = pc2->value.comm_r;
  destroy_seal_pre_commit_phase1_response(pc1);
  destroy_seal_pre_commit_phase2_response(pc2);
}

/* The seal proof, proved twice: the second time the parameters are in memory. */
static slice_boxed_uint8_t commit(const struct sector *sector) {
  begin("C1: vanilla proofs");
  Result_slice_boxed_uint8_t *c1 = SUCCEEDED(
      seal_commit_phase1(SEAL_PROOF, &sector->comm_r, &sector->comm_d, path(sector->cache), path(sector->sealed),
                         SECTOR_ID, &sector->prover, &sector->ticket, &sector->seed, pieces_of(sector)));
  end();
  begin("C2: Groth16, parameters from disk");
  Result_slice_boxed_uint8_t *first = SUCCEEDED(seal_commit_phase2(borrowed(c1->value), SECTOR_ID, &sector->prover));
  end();
  begin("C2: Groth16, parameters in memory");
  Result_slice_boxed_uint8_t *second = SUCCEEDED(seal_commit_phase2(borrowed(c1->value), SECTOR_ID, &sector->prover));
  end();
  expect(first->value.len == 192 && second->value.len == 192, "a proof has 192 bytes");
  slice_boxed_uint8_t proof = copied(borrowed(second->value));
  destroy_seal_commit_phase1_response(c1);
  destroy_seal_commit_phase2_response(first);
  destroy_seal_commit_phase2_response(second);
  return proof;
}

/* A malformed proof is an error, a well-formed wrong one is answered with false: either is a rejection. */
static bool accepted(Result_bool_t *response) {
  bool valid = response->status_code == F_C_P_RESPONSE_STATUS_NO_ERROR && response->value;
  destroy_verify_seal_response(response);
  return valid;
}

static bool seal_accepted(const struct sector *sector, slice_boxed_uint8_t proof) {
  return accepted(verify_seal(SEAL_PROOF, &sector->comm_r, &sector->comm_d, &sector->prover, &sector->ticket,
                              &sector->seed, SECTOR_ID, borrowed(proof)));
}

/* Exchanges two points of a Groth16 proof (A and C): still well-formed, and wrong. */
static slice_boxed_uint8_t tampered(slice_boxed_uint8_t proof) {
  slice_boxed_uint8_t copy = copied(borrowed(proof));
  memcpy(copy.ptr, proof.ptr + 144, 48);
  memcpy(copy.ptr + 144, proof.ptr, 48);
  return copy;
}

static void unseal(const struct sector *sector) {
  int sealed = opened(sector->sealed, O_RDWR), unsealed = opened(sector->unsealed, O_CREAT | O_RDWR);
  Result_void_t *done = SUCCEEDED(unseal_range(SEAL_PROOF, path(sector->cache), sealed, unsealed, SECTOR_ID,
                                               &sector->prover, &sector->ticket, &sector->comm_d, 0, USER_BYTES));
  destroy_unseal_range_response(done);
  uint8_t data[USER_BYTES];
  expect(pread(unsealed, data, USER_BYTES, 0) == USER_BYTES, sector->unsealed);
  expect(memcmp(data, sector->user_data, USER_BYTES) == 0, "the unsealed data is the user's data");
  close(sealed);
  close(unsealed);
}

static void winning_post(const struct sector *sector) {
  const uint8_32_array_t randomness = random_32();
  PrivateReplicaInfo_t secret = {.registered_proof = POST_PROOF,
                                 .cache_dir_path = copied(path(sector->cache)),
                                 .comm_r = sector->comm_r,
                                 .replica_path = copied(path(sector->sealed)),
                                 .sector_id = SECTOR_ID};
  PublicReplicaInfo_t replica = {.registered_proof = POST_PROOF, .comm_r = sector->comm_r, .sector_id = SECTOR_ID};
  const slice_ref_PublicReplicaInfo_t replicas = {.ptr = &replica, .len = 1};

  begin("Winning PoSt: proves");
  Result_slice_boxed_PoStProof_t *post = SUCCEEDED(
      generate_winning_post(&randomness, (slice_ref_PrivateReplicaInfo_t){.ptr = &secret, .len = 1}, &sector->prover));
  end();
  const slice_ref_PoStProof_t proofs = {.ptr = post->value.ptr, .len = post->value.len};
  begin("Winning PoSt: verifies");
  expect(accepted(verify_winning_post(&randomness, replicas, proofs, &sector->prover)), "the Winning PoSt is valid");
  end();
  begin("Winning PoSt: rejects a tampered proof");
  PoStProof_t wrong = {.registered_proof = POST_PROOF, .proof = tampered(post->value.ptr[0].proof)};
  expect(!accepted(verify_winning_post(&randomness, replicas, (slice_ref_PoStProof_t){.ptr = &wrong, .len = 1},
                                       &sector->prover)),
         "a tampered Winning PoSt is rejected");
  end();
  destroy_boxed_slice(wrong.proof);
  destroy_boxed_slice(secret.cache_dir_path);
  destroy_boxed_slice(secret.replica_path);
  destroy_generate_winning_post_response(post);
}

static void record(const char *timeline) {
  slice_ref_uint8_t path = {(const uint8_t *)timeline, strlen(timeline)};
  Result_void_t *started = filcrypto_timeline_start(path);
  expect(started->status_code == 0, "a timeline can be recorded");
  filcrypto_destroy_void(started);
}

static void finish_recording(const char *timeline) {
  Result_void_t *stopped = filcrypto_timeline_stop();
  expect(stopped->status_code == 0, "the timeline is written");
  filcrypto_destroy_void(stopped);
  printf("\nTimeline: %s. Perfetto opens it; `filcrypto trace render` draws it.\n", timeline);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    record(argv[1]);
  }
  printf("Sealing a sector of 2 KiB random bytes. The parameters are local ones for testing: insecure.\n\n");
  struct sector sector = new_sector();
  begin("pieces: staged, CommP");
  stage_pieces(&sector);
  end();
  pre_commit(&sector);
  slice_boxed_uint8_t proof = commit(&sector);

  begin("seal: verifies");
  expect(seal_accepted(&sector, proof), "the seal proof is valid");
  end();
  begin("seal: rejects a tampered proof");
  slice_boxed_uint8_t wrong = tampered(proof);
  expect(!seal_accepted(&sector, wrong), "a tampered seal proof is rejected");
  end();
  begin("unseals, compares the data");
  unseal(&sector);
  end();
  winning_post(&sector);

  destroy_boxed_slice(wrong);
  destroy_boxed_slice(proof);
  print_phases();
  if (argc > 1) {
    finish_recording(argv[1]);
  }
  printf("\nAll proofs were accepted, all tampered proofs rejected.\n");
  return EXIT_SUCCESS;
}
