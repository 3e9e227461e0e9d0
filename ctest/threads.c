/* 64 threads at once, each with its own kind of call: all answers are right, and all threads come back. */
#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 64, TIME_LIMIT_SECONDS = 1200 };

/* What the threads share. They only read it. */
static struct sector sector;
static slice_boxed_uint8_t seal_proof, winning_proof;
static uint8_32_array_t randomness;
static struct path piece;
static pthread_barrier_t start;

/* Each task makes its calls once and says whether all answers were right. */
typedef bool task(size_t thread);

static bool signs_and_verifies(size_t thread) {
  uint8_32_array_t seed = filled_32((uint8_t)(thread + 1));
  uint8_32_array_t *key = private_key_generate_with_seed(&seed);
  uint8_48_array_t *public = private_key_public_key(bytes(key, 32));
  uint8_96_array_t *signature = private_key_sign(bytes(key, 32), bytes(&thread, sizeof thread));
  uint8_96_array_t *digest = hash(bytes(&thread, sizeof thread)), *other = hash(text("another message"));
  uint8_96_array_t *sum = aggregate(bytes(signature, 96));
  const size_t len = sizeof thread;
  bool right = verify(bytes(sum, 96), bytes(digest, 96), bytes(public, 48)) &&
               !verify(bytes(sum, 96), bytes(other, 96), bytes(public, 48)) &&
               hash_verify(bytes(signature, 96), bytes(&thread, len), (slice_ref_size_t){&len, 1}, bytes(public, 48));
  destroy_box_bls_private_key(key);
  destroy_box_bls_public_key(public);
  destroy_box_bls_signature(signature);
  destroy_box_bls_signature(sum);
  destroy_box_bls_digest(digest);
  destroy_box_bls_digest(other);
  return right;
}

static bool commits_to_pieces(size_t thread) {
  (void)thread;
  int fd = open(piece.at, O_RDONLY);
  Result_GeneratePieceCommitment_t *commitment = generate_piece_commitment(SEAL_2K, fd, 127);
  Result_uint8_32_array_t *comm_d = generate_data_commitment(SEAL_2K, pieces_of(&sector));
  bool right = commitment->status_code == 0 && same_32(&commitment->value.comm_p, &sector.pieces[0].comm_p) &&
               comm_d->status_code == 0 && same_32(&comm_d->value, &sector.comm_d);
  DESTROY(commitment);
  DESTROY(comm_d);
  close(fd);
  return right;
}

static bool verifies_a_seal(size_t thread) {
  Result_bool_t *good = verify_seal(SEAL_2K, &sector.comm_r, &sector.comm_d, &sector.prover, &sector.ticket,
                                    &sector.seed, sector.id, whole(seal_proof));
  Result_bool_t *wrong = verify_seal(SEAL_2K, &sector.comm_r, &sector.comm_d, &sector.prover, &sector.ticket,
                                     &sector.seed, sector.id + 1 + thread, whole(seal_proof));
  bool right = good->status_code == 0 && good->value && wrong->status_code == 0 && !wrong->value;
  DESTROY(good);
  DESTROY(wrong);
  return right;
}

static bool verdict_on(slice_boxed_uint8_t proof, uint64_t sector_id) {
  PublicReplicaInfo_t replica = public_replica(&sector, WINNING_2K);
  replica.sector_id = sector_id;
  PoStProof_t post = {WINNING_2K, proof};
  Result_bool_t *verdict = verify_winning_post(&randomness, (slice_ref_PublicReplicaInfo_t){&replica, 1},
                                               (slice_ref_PoStProof_t){&post, 1}, &sector.prover);
  bool valid = verdict->status_code == 0 && verdict->value;
  DESTROY(verdict);
  return valid;
}

static bool verifies_a_post(size_t thread) {
  return verdict_on(winning_proof, sector.id) && !verdict_on(winning_proof, sector.id + 1 + thread);
}

static bool proves_a_post(size_t thread) {
  (void)thread;
  PrivateReplicaInfo_t replica = private_replica(&sector, WINNING_2K);
  Result_slice_boxed_PoStProof_t *post =
      generate_winning_post(&randomness, (slice_ref_PrivateReplicaInfo_t){&replica, 1}, &sector.prover);
  bool right = post->status_code == 0 && post->value.len == 1 && verdict_on(post->value.ptr[0].proof, sector.id);
  DESTROY(post);
  release_replica(&replica);
  return right;
}

static bool asks_for_challenges(size_t thread) {
  uint64_t ids[] = {thread + 100, thread};
  Result_GenerateFallbackSectorChallenges_t *all =
      generate_fallback_sector_challenges(WINDOW_2K, &randomness, LIST(slice_ref_uint64_t, ids), &sector.prover);
  bool right = all->status_code == 0 && all->value.ids.len == 2 && all->value.ids.ptr[0] == thread &&
               all->value.challenges.ptr[1].len == 10;
  DESTROY(all);
  return right;
}

static bool gets_errors(size_t thread) {
  Result_slice_boxed_uint8_t *name = get_seal_version((int32_t)thread + 20);
  Result_SealPreCommitPhase2_t *nonsense = seal_pre_commit_phase2(text("{1"), NO_BYTES, NO_BYTES);
  bool right = name->status_code == 1 && name->error_msg.len > 0 && nonsense->status_code == 1;
  DESTROY(name);
  DESTROY(nonsense);
  return right;
}

/* Two threads prove; the others share the rest. Everything is repeated, so that quick calls overlap slow ones. */
static task *const PROVER = proves_a_post;
static task *const TASKS[] = {signs_and_verifies, commits_to_pieces,   verifies_a_seal,
                              verifies_a_post,    asks_for_challenges, gets_errors};

static void *run_thread(void *argument) {
  const size_t thread = (size_t)argument;
  task *const run = thread < 2 ? PROVER : TASKS[thread % (sizeof TASKS / sizeof TASKS[0])];
  const int rounds = thread < 2 ? 1 : 5;
  bool right = true;
  pthread_barrier_wait(&start);
  for (int round = 0; round < rounds; round++) {
    right = run(thread) && right;
  }
  return right ? "right" : NULL;
}

static void all_at_once(void) {
  sector = sealed_sector(SEAL_2K, 42);
  seal_proof = seal_proof_of(&sector);
  winning_proof = post_proof_of(&sector, WINNING_2K);
  randomness = post_randomness();
  piece = inside(&sector.dir, "piece-1");
  pthread_barrier_init(&start, NULL, THREADS);
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    CHECK(pthread_create(&threads[i], NULL, run_thread, (void *)i) == 0);
  }
  size_t wrong = 0;
  for (size_t i = 0; i < THREADS; i++) {
    void *result = NULL;
    CHECK(pthread_join(threads[i], &result) == 0);
    wrong += result == NULL;
  }
  CHECK(wrong == 0);
  pthread_barrier_destroy(&start);
  destroy_boxed_slice(seal_proof);
  destroy_boxed_slice(winning_proof);
}

static const struct check_case CASES[] = {{"all at once", all_at_once}};

int main(void) {
  alarm(TIME_LIMIT_SECONDS); /* a deadlock ends here, as a failure */
  return check_main("threads", CASES, 1);
}
