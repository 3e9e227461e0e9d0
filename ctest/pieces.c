/* Pieces: writing them, their commitments, and the data commitment of a sector. */
#include "fixture.h"

#include <fcntl.h>
#include <unistd.h>

/* CommD of a 2 KiB sector of zeros: the root of a SHA-256 tree over 64 zero leaves, two top bits cleared at each node.
 */
static const uint8_t ZERO_SECTOR_COMM_D[32] = {0xfc, 0x7e, 0x92, 0x82, 0x96, 0xe5, 0x16, 0xfa, 0xad, 0xe9, 0x86,
                                               0xb2, 0x8f, 0x92, 0xd4, 0x4a, 0x4f, 0x24, 0xb9, 0x35, 0x48, 0x52,
                                               0x23, 0x37, 0x6a, 0x79, 0x90, 0x27, 0xbc, 0x18, 0xf8, 0x33};

static const slice_ref_uint64_t NO_PIECES = {NULL, 0};

/* An open file of `len` bytes at its start. */
static int source(size_t len) {
  uint8_t data[4096];
  memset(data, 0x5a, sizeof data);
  struct path path = work_path("piece");
  write_file(&path, data, len);
  return open_file(&path, O_RDONLY);
}

static int target(void) {
  struct path path = work_path("target");
  return open_file(&path, O_RDWR | O_CREAT | O_TRUNC);
}

static void pieces_have_one_commitment(void) {
  struct sector sector = staged_sector(SEAL_2K, 77);
  struct path first = inside(&sector.dir, "piece-1");
  int fd = open_file(&first, O_RDONLY);
  Result_GeneratePieceCommitment_t *piece = WORKS(generate_piece_commitment(SEAL_2K, fd, 127));
  CHECK(same_32(&piece->value.comm_p, &sector.pieces[0].comm_p));
  CHECK(piece->value.num_bytes_aligned == 127);
  CHECK(is_open(fd) && lseek(fd, 0, SEEK_CUR) == 127);
  TRY(SUCCESS, destroy_generate_piece_commitment_response(piece));
  close(fd);
}

static void data_commitments_follow_the_pieces(void) {
  struct sector sector = sealed_sector(SEAL_2K, 42);
  Result_uint8_32_array_t *comm_d = WORKS(generate_data_commitment(SEAL_2K, pieces_of(&sector)));
  CHECK(same_32(&comm_d->value, &sector.comm_d));
  DESTROY(comm_d);
  Result_uint8_32_array_t *zero = WORKS(generate_data_commitment(SEAL_2K, NO_LIST(slice_ref_PublicPieceInfo_t)));
  CHECK(memcmp(&zero->value, ZERO_SECTOR_COMM_D, 32) == 0);
  DESTROY(zero);
}

static void refuses_impossible_pieces(void) {
  struct sector sector = staged_sector(SEAL_2K, 77);
  PublicPieceInfo_t too_large = {.num_bytes = 4064, .comm_p = sector.pieces[0].comm_p};
  PublicPieceInfo_t uneven = {.num_bytes = 128, .comm_p = sector.pieces[0].comm_p};
  PublicPieceInfo_t too_many[] = {sector.pieces[1], sector.pieces[1], sector.pieces[1]};
  PublicPieceInfo_t endless = {.num_bytes = UINT64_MAX, .comm_p = sector.pieces[0].comm_p};
  FAILS(EMPTY, generate_data_commitment(SEAL_2K, NULL_LIST(slice_ref_PublicPieceInfo_t)), "argument pieces is NULL");
  FAILS(MALFORMED, generate_data_commitment(SEAL_2K, (slice_ref_PublicPieceInfo_t){&too_large, 1}),
        "Piece is larger than sector");
  FAILS(MALFORMED, generate_data_commitment(SEAL_2K, (slice_ref_PublicPieceInfo_t){&uneven, 1}), "");
  FAILS(MALFORMED, generate_data_commitment(SEAL_2K, LIST(slice_ref_PublicPieceInfo_t, too_many)), "");
  FAILS(MALFORMED, generate_data_commitment(SEAL_2K, (slice_ref_PublicPieceInfo_t){&endless, 1}), "");
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS,
                     FAILS(BAD_ENUM, generate_data_commitment(type, pieces_of(&sector)), "RegisteredSealProof"));
}

/* The three calls that read a piece refuse the same sizes and descriptors, and close nothing. */
static void refuses_wrong_sizes_and_descriptors(void) {
  const struct {
    size_t file_bytes;
    uint64_t size;
    const char *error;
  } rows[] = {
      {127, 0, "Piece must be at least 127 bytes"},
      {127, 126, "Piece must be at least 127 bytes"},
      {128, 128, "must be a power of 2"},
      {127, 254, ""}, /* the file ends too early */
      {0, 127, ""},
      {127, UINT64_MAX, ""},
      {127, (uint64_t)1 << 63, ""},
  };
  int to = target();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int from = source(rows[i].file_bytes);
    FAILS(MALFORMED, generate_piece_commitment(SEAL_2K, from, rows[i].size), rows[i].error);
    lseek(from, 0, SEEK_SET);
    FAILS(MALFORMED, write_without_alignment(SEAL_2K, from, rows[i].size, to), rows[i].error);
    lseek(from, 0, SEEK_SET);
    FAILS(MALFORMED, write_with_alignment(SEAL_2K, from, rows[i].size, to, NO_PIECES), rows[i].error);
    CHECK(is_open(from) && is_open(to));
    close(from);
  }

  static const int32_t CLOSED[] = {-1, INT32_MIN, INT32_MAX, 9999};
  int from = source(127);
  for (size_t i = 0; i < sizeof CLOSED / sizeof CLOSED[0]; i++) {
    FAILS(MALFORMED, generate_piece_commitment(SEAL_2K, CLOSED[i], 127), "argument piece_fd_raw");
    FAILS(MALFORMED, write_without_alignment(SEAL_2K, CLOSED[i], 127, to), "argument src_fd");
    FAILS(MALFORMED, write_without_alignment(SEAL_2K, from, 127, CLOSED[i]), "argument dst_fd");
    FAILS(MALFORMED, write_with_alignment(SEAL_2K, CLOSED[i], 127, to, NO_PIECES), "argument src_fd");
    FAILS(MALFORMED, write_with_alignment(SEAL_2K, from, 127, CLOSED[i], NO_PIECES), "argument dst_fd");
  }
  FAILS(MALFORMED, write_without_alignment(SEAL_2K, from, 127, from), ""); /* not open for writing */
  CHECK(is_open(from) && is_open(to));
  close(from);
  close(to);
}

static void refuses_unknown_types(void) {
  int from = source(127), to = target();
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS, {
    FAILS(BAD_ENUM, generate_piece_commitment(type, from, 127), "RegisteredSealProof");
    FAILS(BAD_ENUM, write_without_alignment(type, from, 127, to), "RegisteredSealProof");
    FAILS(BAD_ENUM, write_with_alignment(type, from, 127, to, NO_PIECES), "RegisteredSealProof");
  });
  CHECK(lseek(from, 0, SEEK_CUR) == 0 && lseek(to, 0, SEEK_CUR) == 0);
  close(from);
  close(to);
}

static void aligns_behind_existing_pieces(void) {
  static const uint64_t SMALL[] = {127}, TOO_LARGE[] = {UINT64_MAX, 127}, FULL[] = {1016, 1016};
  int from = source(127), to = target();
  Result_WriteWithAlignment_t *first = WORKS(write_with_alignment(SEAL_2K, from, 127, to, NO_PIECES));
  CHECK(first->value.left_alignment_unpadded == 0 && first->value.total_write_unpadded == 127);
  CHECK(lseek(to, 0, SEEK_CUR) == 128);
  TRY(SUCCESS, destroy_write_with_alignment_response(first));
  lseek(from, 0, SEEK_SET);
  Result_WriteWithAlignment_t *second =
      WORKS(write_with_alignment(SEAL_2K, from, 127, to, LIST(slice_ref_uint64_t, SMALL)));
  CHECK(second->value.left_alignment_unpadded == 0 && lseek(to, 0, SEEK_CUR) == 256);
  DESTROY(second);
  FAILS(EMPTY, write_with_alignment(SEAL_2K, from, 127, to, NULL_LIST(slice_ref_uint64_t)), "existing_piece_sizes");
  FAILS(MALFORMED, write_with_alignment(SEAL_2K, from, 127, to, LIST(slice_ref_uint64_t, TOO_LARGE)),
        "larger than the sector");
  FAILS(MALFORMED, write_with_alignment(SEAL_2K, from, 127, to, LIST(slice_ref_uint64_t, FULL)),
        "the sector holds 2032");
  FAILS(MALFORMED, write_with_alignment(SEAL_2K, from, 2032, to, LIST(slice_ref_uint64_t, SMALL)), "needs 4064 bytes");
  close(from);

  from = source(127);
  Result_WriteWithoutAlignment_t *alone = WORKS(write_without_alignment(SEAL_2K, from, 127, to));
  CHECK(alone->value.total_write_unpadded == 127);
  TRY(SUCCESS, destroy_write_without_alignment_response(alone));
  close(from);
  close(to);
}

static void knows_how_much_fits(void) {
  static const uint64_t BYTES[] = {2032, 8323072, 532676608, 34091302912, 68182605824};
  for (int32_t type = 0; type < SEAL_PROOFS; type++) {
    CHECK(TRY(SUCCESS, get_max_user_bytes_per_staged_sector(type)) == BYTES[type % 5]);
  }
  WITH_UNKNOWN_ENUMS(type, SEAL_PROOFS, CHECK(TRY(BAD_ENUM, get_max_user_bytes_per_staged_sector(type)) == 0));
}

static const struct check_case CASES[] = {
    {"pieces have one commitment", pieces_have_one_commitment},
    {"data commitments follow the pieces", data_commitments_follow_the_pieces},
    {"refuses impossible pieces", refuses_impossible_pieces},
    {"refuses wrong sizes and descriptors", refuses_wrong_sizes_and_descriptors},
    {"refuses unknown types", refuses_unknown_types},
    {"aligns behind existing pieces", aligns_behind_existing_pieces},
    {"knows how much fits", knows_how_much_fits},
};
CHECK_MAIN("pieces", CASES)
