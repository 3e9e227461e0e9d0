/* Sealing: PC1, PC2, their parts, synthetic proofs, C1, C2, verification, unsealing, caches, fake sectors. */
#include "fixture.h"

#include <fcntl.h>
#include <unistd.h>

static const uint64_t ID = 42;

/* Nothing is there. */
static struct path missing(void) { return work_path("missing"); }

/* Nothing can be made there: it lies below a file. */
static struct path impossible(void) {
  struct path file = work_path("file");
  write_file(&file, "", 0);
  return inside(&file, "below");
}

/* ---- PC1 and PC2 ---- */

static void writes_the_cache_files(void) {
  static const char *const FILES[] = {"p_aux",
                                      "t_aux",
                                      "sc-02-data-tree-d.dat",
                                      "sc-02-data-tree-c.dat",
                                      "sc-02-data-tree-r-last.dat",
                                      "sc-02-data-layer-1.dat",
                                      "sc-02-data-layer-2.dat"};
  struct sector sector = sealed_sector(SEAL_2K, ID);
  for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
    struct path file = inside(&sector.cache, FILES[i]);
    CHECK(exists(&file));
  }
  slice_boxed_uint8_t sealed = read_file(&sector.sealed), staged = read_file(&sector.staged);
  CHECK(sealed.len == SECTOR_BYTES && staged.len == SECTOR_BYTES);
  CHECK(memcmp(sealed.ptr, staged.ptr, SECTOR_BYTES) != 0);
  destroy_boxed_slice(sealed);
  destroy_boxed_slice(staged);
}

static void refuses_a_wrong_phase1(void) {
  struct sector s = staged_sector(SEAL_2K, 78);
  const slice_ref_uint8_t cache = path_bytes(&s.cache), staged = path_bytes(&s.staged), sealed = path_bytes(&s.sealed);
  const slice_ref_PublicPieceInfo_t pieces = pieces_of(&s);
  struct path nowhere = impossible();
  PublicPieceInfo_t other[] = {s.pieces[1], s.pieces[0]}, uneven[] = {s.pieces[0], s.pieces[1]};
  uneven[0].num_bytes = 128;
  const slice_ref_PublicPieceInfo_t others = LIST(slice_ref_PublicPieceInfo_t, other);
#define PC1(type, cache, staged, sealed, prover, ticket, pieces)                                                       \
  seal_pre_commit_phase1(type, cache, staged, sealed, s.id, prover, ticket, pieces)
  FAILS(EMPTY, PC1(SEAL_2K, cache, staged, sealed, NULL, &s.ticket, pieces), "argument prover_id is NULL");
  FAILS(EMPTY, PC1(SEAL_2K, cache, staged, sealed, &s.prover, NULL, pieces), "argument ticket is NULL");
  FAILS(EMPTY, PC1(SEAL_2K, NULL_BYTES, staged, sealed, &s.prover, &s.ticket, pieces),
        "argument cache_dir_path is NULL");
  FAILS(EMPTY, PC1(SEAL_2K, cache, NO_BYTES, sealed, &s.prover, &s.ticket, pieces), "");
  FAILS(EMPTY, PC1(SEAL_2K, cache, staged, NO_BYTES, &s.prover, &s.ticket, pieces), "");
  FAILS(EMPTY, PC1(SEAL_2K, cache, staged, sealed, &s.prover, &s.ticket, NULL_LIST(slice_ref_PublicPieceInfo_t)),
        "argument pieces is NULL");
  FAILS(MALFORMED, PC1(SEAL_2K, path_bytes(&nowhere), staged, sealed, &s.prover, &s.ticket, pieces), "Not a directory");
  FAILS(MALFORMED, PC1(SEAL_2K, cache, path_bytes(&nowhere), sealed, &s.prover, &s.ticket, pieces), "Not a directory");
  FAILS(MALFORMED, PC1(SEAL_2K, NUL_INSIDE, staged, sealed, &s.prover, &s.ticket, pieces), "NUL");
  FAILS(MALFORMED, PC1(SEAL_2K, cache, staged, sealed, &s.prover, &s.ticket, others), "");
  FAILS(MALFORMED, PC1(SEAL_2K, cache, staged, sealed, &s.prover, &s.ticket, LIST(slice_ref_PublicPieceInfo_t, uneven)),
        "");
  WITH_UNKNOWN_ENUMS(
      type, SEAL_PROOFS,
      FAILS(BAD_ENUM, PC1(type, cache, staged, sealed, &s.prover, &s.ticket, pieces), "RegisteredSealProof"));
#undef PC1
}

static void refuses_a_wrong_phase2(void) {
  struct sector s = staged_sector(SEAL_2K, 78);
  Result_slice_boxed_uint8_t *pc1 =
      WORKS(seal_pre_commit_phase1(SEAL_2K, path_bytes(&s.cache), path_bytes(&s.staged), path_bytes(&s.sealed), s.id,
                                   &s.prover, &s.ticket, pieces_of(&s)));
  const slice_ref_uint8_t document = whole(pc1->value), cache = path_bytes(&s.cache), sealed = path_bytes(&s.sealed);
  struct path nowhere = impossible();
  FAILS(EMPTY, seal_pre_commit_phase2(NO_BYTES, cache, sealed), "EOF while parsing");
  FAILS(EMPTY, seal_pre_commit_phase2(NULL_BYTES, cache, sealed), "argument seal_pre_commit_phase1_output is NULL");
  FAILS(EMPTY, seal_pre_commit_phase2(document, NO_BYTES, sealed), "");
  FAILS(EMPTY, seal_pre_commit_phase2(document, cache, NO_BYTES), "");
  FAILS(MALFORMED, seal_pre_commit_phase2(text("{1"), cache, sealed), "key must be a string at line 1 column 2");
  FAILS(MALFORMED, seal_pre_commit_phase2(text("[]"), cache, sealed), "");
  FAILS(MALFORMED, seal_pre_commit_phase2(bytes(document.ptr, document.len - 1), cache, sealed), "EOF while parsing");
  FAILS(MALFORMED, seal_pre_commit_phase2(bytes("\xff\xfe", 2), cache, sealed), "");
  FAILS(MALFORMED, seal_pre_commit_phase2(document, cache, path_bytes(&nowhere)), "");
  TRY(SUCCESS, destroy_seal_pre_commit_phase1_response(pc1));
}

static void answers_phase2_with_its_type(void) {
  struct sector s = staged_sector(SEAL_2K, 78);
  Result_slice_boxed_uint8_t *pc1 =
      WORKS(seal_pre_commit_phase1(SEAL_2K, path_bytes(&s.cache), path_bytes(&s.staged), path_bytes(&s.sealed), s.id,
                                   &s.prover, &s.ticket, pieces_of(&s)));
  Result_SealPreCommitPhase2_t *pc2 =
      WORKS(seal_pre_commit_phase2(whole(pc1->value), path_bytes(&s.cache), path_bytes(&s.sealed)));
  CHECK(pc2->value.registered_proof == SEAL_2K);
  TRY(SUCCESS, destroy_seal_pre_commit_phase2_response(pc2));
  DESTROY(pc1);
}

/* ---- the parts of PC1 and PC2 ---- */

static void builds_layers_and_trees_one_by_one(void) {
  struct sector s = sealed_sector(SEAL_2K, ID);
  struct path dir = fresh_dir("parts"), layer = inside(&dir, "sc-02-data-layer-2.dat"), nowhere = impossible();
  struct path tree_c = inside(&dir, "sc-02-data-tree-c.dat"), tree_r = inside(&dir, "sc-02-data-tree-r-last.dat");
  struct path p_aux = inside(&s.cache, "p_aux");
  slice_boxed_uint8_t commitments = read_file(&p_aux); /* CommC, CommRLast */
  const uint8_32_array_t replica_id = filled_32(8);
  const slice_ref_uint8_t out = path_bytes(&dir), cache = path_bytes(&s.cache), sealed = path_bytes(&s.sealed);

  Result_void_t *sdr = WORKS(generate_sdr(SEAL_2K, out, &replica_id));
  CHECK(exists(&layer));
  TRY(SUCCESS, destroy_generate_sdr_response(sdr));
  Result_uint8_32_array_t *comm_c = WORKS(generate_tree_c(SEAL_2K, cache, out));
  CHECK(memcmp(&comm_c->value, commitments.ptr, 32) == 0 && exists(&tree_c));
  TRY(SUCCESS, destroy_generate_tree_c_response(comm_c));
  /* Callers pass the PoSt type of the same size, which is another number. */
  Result_uint8_32_array_t *comm_r_last = WORKS(generate_tree_r_last(WINDOW_2K, sealed, out));
  CHECK(memcmp(&comm_r_last->value, commitments.ptr + 32, 32) == 0 && exists(&tree_r));
  TRY(SUCCESS, destroy_generate_tree_r_last_response(comm_r_last));
  destroy_boxed_slice(commitments);

  FAILS(EMPTY, generate_sdr(SEAL_2K, out, NULL), "argument replica_id is NULL");
  FAILS(EMPTY, generate_sdr(SEAL_2K, NULL_BYTES, &replica_id), "argument output_dir is NULL");
  FAILS(EMPTY, generate_tree_c(SEAL_2K, NULL_BYTES, out), "argument input_dir is NULL");
  FAILS(EMPTY, generate_tree_r_last(SEAL_2K, sealed, NULL_BYTES), "argument output_dir is NULL");
  FAILS(MALFORMED, generate_sdr(SEAL_2K, path_bytes(&nowhere), &replica_id), "");
  FAILS(MALFORMED, generate_tree_c(SEAL_2K, path_bytes(&nowhere), out), "");
  FAILS(MALFORMED, generate_tree_r_last(SEAL_2K, path_bytes(&nowhere), out), "");
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS, {
    FAILS(BAD_ENUM, generate_sdr(type, out, &replica_id), "RegisteredSealProof");
    FAILS(BAD_ENUM, generate_tree_c(type, cache, out), "RegisteredSealProof");
    FAILS(BAD_ENUM, generate_tree_r_last(type, sealed, out), "RegisteredSealProof");
  });
}

/* ---- synthetic proofs ---- */

static void synthetic_proofs_replace_the_layers(void) {
  struct sector s = sealed_sector(SYNTHETIC_2K, ID), plain = sealed_sector(SEAL_2K, ID);
  struct path proofs = inside(&s.cache, "syn-porep-vanilla-proofs.dat");
#define SYNTH(type, comm_r, comm_d, cache, sealed, prover, ticket, pieces)                                             \
  generate_synth_proofs(type, comm_r, comm_d, cache, sealed, s.id, prover, ticket, pieces)
  const slice_ref_uint8_t cache = path_bytes(&s.cache), sealed = path_bytes(&s.sealed);
  const slice_ref_PublicPieceInfo_t pieces = pieces_of(&s);
  const uint8_32_array_t zero = filled_32(0);
  struct path nowhere = impossible(), absent = missing();
  FAILS(EMPTY, SYNTH(SYNTHETIC_2K, NULL, &s.comm_d, cache, sealed, &s.prover, &s.ticket, pieces), "comm_r is NULL");
  FAILS(EMPTY, SYNTH(SYNTHETIC_2K, &s.comm_r, NULL, cache, sealed, &s.prover, &s.ticket, pieces), "comm_d is NULL");
  FAILS(EMPTY, SYNTH(SYNTHETIC_2K, &s.comm_r, &s.comm_d, NULL_BYTES, sealed, &s.prover, &s.ticket, pieces),
        "cache_dir_path is NULL");
  FAILS(EMPTY, SYNTH(SYNTHETIC_2K, &s.comm_r, &s.comm_d, cache, sealed, NULL, &s.ticket, pieces), "prover_id is NULL");
  FAILS(EMPTY, SYNTH(SYNTHETIC_2K, &s.comm_r, &s.comm_d, cache, sealed, &s.prover, NULL, pieces), "ticket is NULL");
  FAILS(MALFORMED, SYNTH(SYNTHETIC_2K, &zero, &s.comm_d, cache, sealed, &s.prover, &s.ticket, pieces),
        "Invalid all zero commitment (comm_r)");
  FAILS(MALFORMED, SYNTH(SYNTHETIC_2K, &s.comm_r, &zero, cache, sealed, &s.prover, &s.ticket, pieces),
        "Invalid all zero commitment (comm_d)");
  FAILS(MALFORMED,
        SYNTH(SYNTHETIC_2K, &s.comm_r, &s.comm_d, path_bytes(&nowhere), sealed, &s.prover, &s.ticket, pieces), "");
  FAILS(MALFORMED,
        SYNTH(SEAL_2K, &plain.comm_r, &plain.comm_d, path_bytes(&plain.cache), path_bytes(&plain.sealed), &plain.prover,
              &plain.ticket, pieces_of(&plain)),
        "synthetic porep feature MUST be enabled");
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS,
                     FAILS(BAD_ENUM, SYNTH(type, &s.comm_r, &s.comm_d, cache, sealed, &s.prover, &s.ticket, pieces),
                           "RegisteredSealProof"));
#undef SYNTH
  Result_void_t *done = WORKS(
      generate_synth_proofs(SYNTHETIC_2K, &s.comm_r, &s.comm_d, cache, sealed, s.id, &s.prover, &s.ticket, pieces));
  CHECK(exists(&proofs));
  TRY(SUCCESS, destroy_generate_synth_proofs_response(done));
  /* C1 works from the stored proofs alone. */
  Result_void_t *cleared = WORKS(clear_cache(cache));
  TRY(SUCCESS, destroy_clear_cache_response(cleared));
  DESTROY(commit_phase1(&s));
  DESTROY((Result_void_t *)WORKS(clear_synthetic_proofs(cache)));
  CHECK(!exists(&proofs));
  DESTROY((Result_void_t *)WORKS(clear_synthetic_proofs(cache)));
  DESTROY((Result_void_t *)WORKS(clear_synthetic_proofs(path_bytes(&absent))));
  FAILS(EMPTY, clear_synthetic_proofs(NULL_BYTES), "argument cache_dir_path is NULL");
  FAILS(MALFORMED, clear_synthetic_proofs(NUL_INSIDE), "NUL");
}

/* ---- C1 and C2 ---- */

static void refuses_a_wrong_commit(void) {
  struct sector s = sealed_sector(SEAL_2K, ID);
  const slice_ref_uint8_t cache = path_bytes(&s.cache), sealed = path_bytes(&s.sealed);
  const uint8_32_array_t zero = filled_32(0);
  struct path nowhere = impossible();
#define C1(type, comm_r, comm_d, cache, sealed, prover, ticket, seed, pieces)                                          \
  seal_commit_phase1(type, comm_r, comm_d, cache, sealed, s.id, prover, ticket, seed, pieces)
  const slice_ref_PublicPieceInfo_t pieces = pieces_of(&s);
  FAILS(EMPTY, C1(SEAL_2K, NULL, &s.comm_d, cache, sealed, &s.prover, &s.ticket, &s.seed, pieces), "comm_r is NULL");
  FAILS(EMPTY, C1(SEAL_2K, &s.comm_r, NULL, cache, sealed, &s.prover, &s.ticket, &s.seed, pieces), "comm_d is NULL");
  FAILS(EMPTY, C1(SEAL_2K, &s.comm_r, &s.comm_d, NO_BYTES, sealed, &s.prover, &s.ticket, &s.seed, pieces), "");
  FAILS(EMPTY, C1(SEAL_2K, &s.comm_r, &s.comm_d, cache, sealed, NULL, &s.ticket, &s.seed, pieces), "prover_id is NULL");
  FAILS(EMPTY, C1(SEAL_2K, &s.comm_r, &s.comm_d, cache, sealed, &s.prover, NULL, &s.seed, pieces), "ticket is NULL");
  FAILS(EMPTY, C1(SEAL_2K, &s.comm_r, &s.comm_d, cache, sealed, &s.prover, &s.ticket, NULL, pieces), "seed is NULL");
  FAILS(MALFORMED, C1(SEAL_2K, &zero, &s.comm_d, cache, sealed, &s.prover, &s.ticket, &s.seed, pieces),
        "Invalid all zero commitment (comm_r)");
  FAILS(MALFORMED, C1(SEAL_2K, &s.comm_r, &zero, cache, sealed, &s.prover, &s.ticket, &s.seed, pieces),
        "Invalid all zero commitment (comm_d)");
  FAILS(MALFORMED,
        C1(SEAL_2K, &s.comm_r, &s.comm_d, path_bytes(&nowhere), sealed, &s.prover, &s.ticket, &s.seed, pieces), "");
  FAILS(MALFORMED,
        C1(SEAL_2K, &s.comm_r, &s.comm_d, cache, sealed, &s.prover, &s.ticket, &s.seed,
           NO_LIST(slice_ref_PublicPieceInfo_t)),
        "pieces and comm_d do not match");
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS,
                     FAILS(BAD_ENUM,
                           C1(type, &s.comm_r, &s.comm_d, cache, sealed, &s.prover, &s.ticket, &s.seed, pieces),
                           "RegisteredSealProof"));
#undef C1
}

static void refuses_to_prove_a_wrong_document(void) {
  struct sector s = sealed_sector(SEAL_2K, ID);
  Result_slice_boxed_uint8_t *c1 = commit_phase1(&s);
  CHECK(c1->value.len > 1000 && c1->value.ptr[0] == '{');
  const struct {
    enum way way;
    slice_ref_uint8_t document;
    const char *error;
  } rows[] = {
      {EMPTY, NO_BYTES, "EOF while parsing"},
      {EMPTY, NULL_BYTES, "argument seal_commit_phase1_output is NULL"},
      {MALFORMED, text("{1"), "key must be a string at line 1 column 2"},
      {MALFORMED, text("null"), ""},
      {MALFORMED, bytes(c1->value.ptr, c1->value.len / 2), "EOF while parsing"},
      {MALFORMED, bytes("\0\1\2", 3), "expected value"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    FAILS(rows[i].way, seal_commit_phase2(rows[i].document, s.id, &s.prover), rows[i].error);
    FAILS(rows[i].way, seal_commit_phase2_circuit_proofs(rows[i].document, s.id), rows[i].error);
  }
  FAILS(EMPTY, seal_commit_phase2(whole(c1->value), s.id, NULL), "argument prover_id is NULL");
  TRY(SUCCESS, destroy_seal_commit_phase1_response(c1));
}

#define VERIFY(s, proof)                                                                                               \
  verify_seal(SEAL_2K, &(s).comm_r, &(s).comm_d, &(s).prover, &(s).ticket, &(s).seed, (s).id, proof)

static void proves_and_verifies(void) {
  struct sector s = sealed_sector(SEAL_2K, ID), other = s;
  slice_boxed_uint8_t proof = seal_proof_of(&s);
  CHECK(proof.len == PROOF_BYTES);
  VERDICT(SUCCESS, true, VERIFY(s, whole(proof)));
  other.comm_r = filled_32(1);
  VERDICT(SUCCESS, false, VERIFY(other, whole(proof)));
  other = s;
  other.comm_d = filled_32(1);
  VERDICT(SUCCESS, false, VERIFY(other, whole(proof)));
  other = s;
  other.prover = filled_32(1);
  VERDICT(SUCCESS, false, VERIFY(other, whole(proof)));
  other = s;
  other.ticket = filled_32(1);
  VERDICT(SUCCESS, false, VERIFY(other, whole(proof)));
  other = s;
  other.seed = filled_32(1);
  VERDICT(SUCCESS, false, VERIFY(other, whole(proof)));
  other = s;
  other.id++;
  VERDICT(SUCCESS, false, VERIFY(other, whole(proof)));

  uint8_t exchanged[PROOF_BYTES]; /* the points A and C, both of G1 */
  memcpy(exchanged, proof.ptr + 144, 48);
  memcpy(exchanged + 48, proof.ptr + 48, 96);
  memcpy(exchanged + 144, proof.ptr, 48);
  VERDICT(SUCCESS, false, VERIFY(s, bytes(exchanged, PROOF_BYTES)));
  destroy_boxed_slice(proof);
}

static void refuses_malformed_seal_proofs(void) {
  struct sector s = sealed_sector(SEAL_2K, ID), other = s;
  slice_boxed_uint8_t proof = seal_proof_of(&s);
  uint8_t broken[PROOF_BYTES + 1] = {0};
  memcpy(broken, proof.ptr, PROOF_BYTES);
  FAILS(EMPTY, VERIFY(s, NO_BYTES), "Invalid proof bytes (empty vector)");
  FAILS(EMPTY, VERIFY(s, NULL_BYTES), "argument proof is NULL");
  FAILS(MALFORMED, VERIFY(s, bytes(proof.ptr, PROOF_BYTES - 1)), "");
  FAILS(MALFORMED, VERIFY(s, bytes(broken, PROOF_BYTES + 1)), "");
  memset(broken, 0xff, 48);
  FAILS(MALFORMED, VERIFY(s, bytes(broken, PROOF_BYTES)), "");
  memset(broken, 0, PROOF_BYTES);
  FAILS(MALFORMED, VERIFY(s, bytes(broken, PROOF_BYTES)), "");

  other.comm_r = filled_32(0);
  FAILS(MALFORMED, VERIFY(other, whole(proof)), "Invalid all zero commitment (comm_r)");
  other = s;
  other.comm_d = filled_32(0);
  FAILS(MALFORMED, VERIFY(other, whole(proof)), "Invalid all zero commitment (comm_d)");
  other = s;
  memset(&other.comm_r, 0xff, 32);
  FAILS(MALFORMED, VERIFY(other, whole(proof)), "");

  const slice_ref_uint8_t good = whole(proof);
  FAILS(EMPTY, verify_seal(SEAL_2K, NULL, &s.comm_d, &s.prover, &s.ticket, &s.seed, s.id, good), "comm_r is NULL");
  FAILS(EMPTY, verify_seal(SEAL_2K, &s.comm_r, NULL, &s.prover, &s.ticket, &s.seed, s.id, good), "comm_d is NULL");
  FAILS(EMPTY, verify_seal(SEAL_2K, &s.comm_r, &s.comm_d, NULL, &s.ticket, &s.seed, s.id, good), "prover_id is NULL");
  FAILS(EMPTY, verify_seal(SEAL_2K, &s.comm_r, &s.comm_d, &s.prover, NULL, &s.seed, s.id, good), "ticket is NULL");
  FAILS(EMPTY, verify_seal(SEAL_2K, &s.comm_r, &s.comm_d, &s.prover, &s.ticket, NULL, s.id, good), "seed is NULL");
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS,
                     FAILS(BAD_ENUM, verify_seal(type, &s.comm_r, &s.comm_d, &s.prover, &s.ticket, &s.seed, s.id, good),
                           "RegisteredSealProof"));
  destroy_boxed_slice(proof);
}

static void proves_circuits_alone(void) {
  struct sector s = sealed_sector(SEAL_2K, ID);
  Result_slice_boxed_uint8_t *c1 = commit_phase1(&s);
  Result_slice_boxed_uint8_t *proof = WORKS(seal_commit_phase2_circuit_proofs(whole(c1->value), s.id));
  CHECK(proof->value.len == PROOF_BYTES);
  VERDICT(SUCCESS, true, VERIFY(s, whole(proof->value)));
  TRY(SUCCESS, destroy_seal_commit_phase2_response(proof));
  DESTROY(c1);
}

/* ---- unsealing ---- */

static void unseals_ranges(void) {
  struct sector s = sealed_sector(SEAL_2K, ID);
  static const struct {
    uint64_t index, amount;
  } ROWS[] = {{0, USER_BYTES}, {0, 127}, {1016, 1016}, {127, 254}, {1, 1}, {100, 200}, {USER_BYTES - 1, 1}, {500, 0}};
  struct path dir = fresh_dir("unseal"), output = inside(&dir, "output");
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
    int sealed = open_file(&s.sealed, O_RDONLY), out = open_file(&output, O_RDWR | O_CREAT | O_TRUNC);
    CHECK(write(out, "before", 6) == 6);
    Result_void_t *done = WORKS(unseal_range(SEAL_2K, path_bytes(&dir), sealed, out, s.id, &s.prover, &s.ticket,
                                             &s.comm_d, ROWS[i].index, ROWS[i].amount));
    TRY(SUCCESS, destroy_unseal_range_response(done));
    CHECK(is_open(sealed) && is_open(out));
    CHECK(lseek(out, 0, SEEK_CUR) == (off_t)(6 + ROWS[i].amount));
    slice_boxed_uint8_t data = read_file(&output);
    CHECK(data.len == 6 + ROWS[i].amount && memcmp(data.ptr, "before", 6) == 0);
    CHECK(memcmp(data.ptr + 6, s.user_data + ROWS[i].index, ROWS[i].amount) == 0);
    destroy_boxed_slice(data);
    close(sealed);
    close(out);
  }
}

/* Also: whatever goes wrong, the descriptors stay open. */
static void refuses_to_unseal_nonsense(void) {
  struct sector s = sealed_sector(SEAL_2K, ID);
  struct path dir = fresh_dir("unseal"), output = inside(&dir, "output"), nowhere = impossible();
  int sealed = open_file(&s.sealed, O_RDONLY), out = open_file(&output, O_RDWR | O_CREAT | O_TRUNC);
  int not_writable = open_file(&output, O_RDONLY);
#define UNSEAL(type, cache, in, out, prover, ticket, comm_d, index, amount)                                            \
  unseal_range(type, cache, in, out, s.id, prover, ticket, comm_d, index, amount)
  const slice_ref_uint8_t cache = path_bytes(&dir);
  const uint8_32_array_t *prover = &s.prover, *ticket = &s.ticket, *comm_d = &s.comm_d;
  FAILS(EMPTY, UNSEAL(SEAL_2K, cache, sealed, out, NULL, ticket, comm_d, 0, 127), "prover_id is NULL");
  FAILS(EMPTY, UNSEAL(SEAL_2K, cache, sealed, out, prover, NULL, comm_d, 0, 127), "ticket is NULL");
  FAILS(EMPTY, UNSEAL(SEAL_2K, cache, sealed, out, prover, ticket, NULL, 0, 127), "comm_d is NULL");
  FAILS(EMPTY, UNSEAL(SEAL_2K, NULL_BYTES, sealed, out, prover, ticket, comm_d, 0, 127), "cache_dir_path is NULL");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, path_bytes(&nowhere), sealed, out, prover, ticket, comm_d, 0, 127), "");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, -1, out, prover, ticket, comm_d, 0, 127), "sealed_sector_fd_raw");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, 9999, out, prover, ticket, comm_d, 0, 127), "sealed_sector_fd_raw");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, sealed, -1, prover, ticket, comm_d, 0, 127), "unseal_output_fd_raw");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, sealed, INT32_MAX, prover, ticket, comm_d, 0, 127), "unseal_output_fd_raw");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, sealed, not_writable, prover, ticket, comm_d, 0, 127), "");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, sealed, out, prover, ticket, comm_d, USER_BYTES, 127), "leave the sector");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, sealed, out, prover, ticket, comm_d, 0, USER_BYTES + 1), "leave the sector");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, sealed, out, prover, ticket, comm_d, UINT64_MAX, UINT64_MAX),
        "leave the sector");
  FAILS(MALFORMED, UNSEAL(SEAL_2K, cache, sealed, out, prover, ticket, comm_d, 0, UINT64_MAX), "leave the sector");
  WITH_UNKNOWN_ENUMS(
      type, SEAL_PROOFS,
      FAILS(BAD_ENUM, UNSEAL(type, cache, sealed, out, prover, ticket, comm_d, 0, 127), "RegisteredSealProof"));
#undef UNSEAL
  CHECK(is_open(sealed) && is_open(out) && is_open(not_writable));
  close(sealed);
  close(out);
  close(not_writable);
}

/* ---- caches ---- */

static void clears_what_proving_no_longer_needs(void) {
  struct sector s = sealed_sector(SEAL_2K, ID);
  struct path copy = fresh_dir("cleared"), nowhere = missing();
  copy_dir(&s.cache, &copy);
  DESTROY((Result_void_t *)WORKS(clear_cache(path_bytes(&copy))));
  static const char *const KEPT[] = {"p_aux", "t_aux", "sc-02-data-tree-r-last.dat"};
  static const char *const GONE[] = {"sc-02-data-tree-d.dat", "sc-02-data-tree-c.dat", "sc-02-data-layer-1.dat",
                                     "sc-02-data-layer-2.dat"};
  for (size_t i = 0; i < 3; i++) {
    struct path file = inside(&copy, KEPT[i]);
    CHECK(exists(&file));
  }
  for (size_t i = 0; i < 4; i++) {
    struct path file = inside(&copy, GONE[i]);
    CHECK(!exists(&file));
  }
  DESTROY((Result_void_t *)WORKS(clear_cache(path_bytes(&copy))));
  DESTROY((Result_void_t *)WORKS(clear_cache(path_bytes(&nowhere))));
  FAILS(EMPTY, clear_cache(NULL_BYTES), "argument cache_dir_path is NULL");
  FAILS(MALFORMED, clear_cache(NUL_INSIDE), "NUL");
}

static void fakes_sectors(void) {
  struct path dir = fresh_dir("faux"), sealed = inside(&dir, "sealed"), p_aux = inside(&dir, "p_aux"),
              nowhere = impossible();
  struct path small = inside(&dir, "small");
  const slice_ref_uint8_t cache = path_bytes(&dir);
  Result_uint8_32_array_t *comm_r = WORKS(fauxrep(SEAL_2K, cache, path_bytes(&sealed)));
  CHECK(exists(&sealed) && exists(&p_aux));
  Result_uint8_32_array_t *other = WORKS(fauxrep2(SEAL_2K, cache, path_bytes(&p_aux)));
  CHECK(!same_32(&comm_r->value, &other->value));
  TRY(SUCCESS, destroy_fauxrep_response(comm_r));
  TRY(SUCCESS, destroy_fauxrep_response(other));

  write_file(&small, "too short", 9);
  FAILS(EMPTY, fauxrep(SEAL_2K, NULL_BYTES, path_bytes(&sealed)), "argument cache_dir_path is NULL");
  FAILS(EMPTY, fauxrep(SEAL_2K, cache, NULL_BYTES), "argument sealed_sector_path is NULL");
  FAILS(EMPTY, fauxrep2(SEAL_2K, cache, NULL_BYTES), "argument existing_p_aux_path is NULL");
  FAILS(MALFORMED, fauxrep(SEAL_2K, cache, path_bytes(&nowhere)), "");
  FAILS(MALFORMED, fauxrep2(SEAL_2K, cache, path_bytes(&nowhere)), "");
  FAILS(MALFORMED, fauxrep2(SEAL_2K, cache, path_bytes(&small)), "");
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS, {
    FAILS(BAD_ENUM, fauxrep(type, cache, path_bytes(&sealed)), "RegisteredSealProof");
    FAILS(BAD_ENUM, fauxrep2(type, cache, path_bytes(&p_aux)), "RegisteredSealProof");
  });
}

static const struct check_case CASES[] = {
    {"writes the cache files", writes_the_cache_files},
    {"refuses a wrong phase 1", refuses_a_wrong_phase1},
    {"refuses a wrong phase 2", refuses_a_wrong_phase2},
    {"answers phase 2 with its type", answers_phase2_with_its_type},
    {"builds layers and trees one by one", builds_layers_and_trees_one_by_one},
    {"synthetic proofs replace the layers", synthetic_proofs_replace_the_layers},
    {"refuses a wrong commit", refuses_a_wrong_commit},
    {"refuses to prove a wrong document", refuses_to_prove_a_wrong_document},
    {"proves and verifies", proves_and_verifies},
    {"refuses malformed seal proofs", refuses_malformed_seal_proofs},
    {"proves circuits alone", proves_circuits_alone},
    {"unseals ranges", unseals_ranges},
    {"refuses to unseal nonsense", refuses_to_unseal_nonsense},
    {"clears what proving no longer needs", clears_what_proving_no_longer_needs},
    {"fakes sectors", fakes_sectors},
};
CHECK_MAIN("seal", CASES)
