/* See fixture.h. */
#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEED(condition, path) ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, #condition, (path)))

slice_boxed_uint8_t boxed(const void *data, size_t len) {
  slice_boxed_uint8_t slice = alloc_boxed_slice(len);
  if (len > 0) {
    memcpy(slice.ptr, data, len);
  }
  return slice;
}

struct path work_path(const char *name) {
  const char *work = getenv("CTEST_WORK");
  NEED(work != NULL && work[0] == '/', "CTEST_WORK must name an absolute directory");
  struct path path;
  NEED(snprintf(path.at, sizeof path.at, "%s/%s", work, name) < (int)sizeof path.at, work);
  return path;
}

struct path inside(const struct path *dir, const char *name) {
  struct path path;
  NEED(snprintf(path.at, sizeof path.at, "%s/%s", dir->at, name) < (int)sizeof path.at, dir->at);
  return path;
}

slice_ref_uint8_t path_bytes(const struct path *path) { return text(path->at); }

static void remove_tree(const struct path *path) {
  DIR *dir = opendir(path->at);
  if (dir != NULL) {
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
        struct path child = inside(path, entry->d_name);
        remove_tree(&child);
      }
    }
    closedir(dir);
  }
  remove(path->at);
}

struct path fresh_dir(const char *name) {
  struct path path = work_path(name);
  remove_tree(&path);
  NEED(mkdir(path.at, 0777) == 0, path.at);
  return path;
}

int open_file(const struct path *path, int flags) {
  int fd = open(path->at, flags, 0666);
  NEED(fd >= 0, path->at);
  return fd;
}

bool is_open(int fd) { return fcntl(fd, F_GETFD) != -1; }

void write_file(const struct path *path, const void *data, size_t len) {
  int fd = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  ssize_t written = write(fd, data, len);
  close(fd);
  NEED(written == (ssize_t)len, path->at);
}

slice_boxed_uint8_t read_file(const struct path *path) {
  int fd = open_file(path, O_RDONLY);
  off_t len = lseek(fd, 0, SEEK_END);
  slice_boxed_uint8_t data = alloc_boxed_slice((size_t)len);
  ssize_t got = pread(fd, data.ptr, (size_t)len, 0);
  close(fd);
  NEED(got == len, path->at);
  return data;
}

bool exists(const struct path *path) { return access(path->at, F_OK) == 0; }

void copy_file(const struct path *from, const struct path *to) {
  slice_boxed_uint8_t data = read_file(from);
  write_file(to, data.ptr, data.len);
  destroy_boxed_slice(data);
}

void copy_dir(const struct path *from, const struct path *to) {
  DIR *dir = opendir(from->at);
  NEED(dir != NULL, from->at);
  for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
    if (entry->d_name[0] != '.') {
      struct path source = inside(from, entry->d_name);
      struct path target = inside(to, entry->d_name);
      copy_file(&source, &target);
    }
  }
  closedir(dir);
}

/* Bytes that look random and are the same in every run. */
static void fill(uint8_t *data, size_t len, uint64_t state) {
  for (size_t i = 0; i < len; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    data[i] = (uint8_t)(state >> 56);
  }
}

static int piece_file(const struct sector *sector, const char *name, const uint8_t *data, size_t len) {
  struct path path = inside(&sector->dir, name);
  write_file(&path, data, len);
  return open_file(&path, O_RDONLY);
}

static void write_pieces(struct sector *sector) {
  const uint8_t *first = sector->user_data, *second = sector->user_data + 1016;
  fill(sector->user_data, 127, sector->id);
  fill(sector->user_data + 1016, 1016, sector->id + 1000000);
  int staged = open_file(&sector->staged, O_RDWR | O_CREAT | O_TRUNC);
  int first_fd = piece_file(sector, "piece-1", first, 127);
  int second_fd = piece_file(sector, "piece-2", second, 1016);
  const uint64_t existing[] = {127};

  Result_WriteWithoutAlignment_t *one = WORKS(write_without_alignment(sector->proof_type, first_fd, 127, staged));
  Result_WriteWithAlignment_t *two =
      WORKS(write_with_alignment(sector->proof_type, second_fd, 1016, staged, LIST(slice_ref_uint64_t, existing)));
  CHECK(one->value.total_write_unpadded == 127);
  CHECK(two->value.left_alignment_unpadded == 889 && two->value.total_write_unpadded == 1905);
  sector->pieces[0] = (PublicPieceInfo_t){.num_bytes = 127, .comm_p = one->value.comm_p};
  sector->pieces[1] = (PublicPieceInfo_t){.num_bytes = 1016, .comm_p = two->value.comm_p};
  DESTROY(one);
  DESTROY(two);
  close(first_fd);
  close(second_fd);
  close(staged);
}

slice_ref_PublicPieceInfo_t pieces_of(const struct sector *sector) {
  return LIST(slice_ref_PublicPieceInfo_t, sector->pieces);
}

static struct path sector_dir(const char *kind, RegisteredSealProof_t proof_type, uint64_t id) {
  char name[64];
  snprintf(name, sizeof name, "%s-%d-%llu", kind, proof_type, (unsigned long long)id);
  return work_path(name);
}

static struct sector stage(struct path dir, RegisteredSealProof_t proof_type, uint64_t id) {
  struct sector sector = {.proof_type = proof_type, .id = id, .dir = dir};
  sector.prover = filled_32(9);
  sector.ticket = filled_32((uint8_t)id);
  sector.seed = filled_32((uint8_t)(id + 1));
  remove_tree(&dir);
  NEED(mkdir(dir.at, 0777) == 0, dir.at);
  sector.staged = inside(&dir, "staged");
  sector.sealed = inside(&dir, "sealed");
  sector.cache = inside(&dir, "cache");
  NEED(mkdir(sector.cache.at, 0777) == 0, sector.cache.at);
  write_file(&sector.sealed, "", 0);
  write_pieces(&sector);
  return sector;
}

struct sector staged_sector(RegisteredSealProof_t proof_type, uint64_t id) {
  return stage(sector_dir("staged", proof_type, id), proof_type, id);
}

struct sector sealed_sector(RegisteredSealProof_t proof_type, uint64_t id) {
  struct path dir = sector_dir("sector", proof_type, id);
  struct path record = inside(&dir, "record");
  struct sector sector;
  if (exists(&record)) {
    slice_boxed_uint8_t data = read_file(&record);
    NEED(data.len == sizeof sector, record.at);
    memcpy(&sector, data.ptr, sizeof sector);
    destroy_boxed_slice(data);
    return sector;
  }
  sector = stage(dir, proof_type, id);
  Result_slice_boxed_uint8_t *pc1 =
      WORKS(seal_pre_commit_phase1(proof_type, path_bytes(&sector.cache), path_bytes(&sector.staged),
                                   path_bytes(&sector.sealed), id, &sector.prover, &sector.ticket, pieces_of(&sector)));
  Result_SealPreCommitPhase2_t *pc2 =
      WORKS(seal_pre_commit_phase2(whole(pc1->value), path_bytes(&sector.cache), path_bytes(&sector.sealed)));
  CHECK(pc2->value.registered_proof == proof_type);
  sector.comm_d = pc2->value.comm_d;
  sector.comm_r = pc2->value.comm_r;
  DESTROY(pc1);
  DESTROY(pc2);
  write_file(&record, &sector, sizeof sector);
  return sector;
}

Result_slice_boxed_uint8_t *commit_phase1(const struct sector *sector) {
  return WORKS(seal_commit_phase1(sector->proof_type, &sector->comm_r, &sector->comm_d, path_bytes(&sector->cache),
                                  path_bytes(&sector->sealed), sector->id, &sector->prover, &sector->ticket,
                                  &sector->seed, pieces_of(sector)));
}

slice_boxed_uint8_t seal_proof_of(const struct sector *sector) {
  struct path path = inside(&sector->dir, "proof");
  if (!exists(&path)) {
    Result_slice_boxed_uint8_t *c1 = commit_phase1(sector);
    Result_slice_boxed_uint8_t *c2 = WORKS(seal_commit_phase2(whole(c1->value), sector->id, &sector->prover));
    write_file(&path, c2->value.ptr, c2->value.len);
    DESTROY(c1);
    DESTROY(c2);
  }
  return read_file(&path);
}

uint8_32_array_t post_randomness(void) { return filled_32(7); }

PrivateReplicaInfo_t private_replica(const struct sector *sector, RegisteredPoStProof_t proof_type) {
  return (PrivateReplicaInfo_t){
      .registered_proof = proof_type,
      .cache_dir_path = boxed(sector->cache.at, strlen(sector->cache.at)),
      .comm_r = sector->comm_r,
      .replica_path = boxed(sector->sealed.at, strlen(sector->sealed.at)),
      .sector_id = sector->id,
  };
}

void release_replica(PrivateReplicaInfo_t *replica) {
  destroy_boxed_slice(replica->cache_dir_path);
  destroy_boxed_slice(replica->replica_path);
}

PublicReplicaInfo_t public_replica(const struct sector *sector, RegisteredPoStProof_t proof_type) {
  return (PublicReplicaInfo_t){.registered_proof = proof_type, .comm_r = sector->comm_r, .sector_id = sector->id};
}

static void prove_post(const struct sector *sector, RegisteredPoStProof_t proof_type, const struct path *path) {
  uint8_32_array_t randomness = post_randomness();
  PrivateReplicaInfo_t replicas[] = {private_replica(sector, proof_type)};
  const slice_ref_PrivateReplicaInfo_t list = LIST(slice_ref_PrivateReplicaInfo_t, replicas);
  if (proof_type == WINNING_2K) {
    Result_slice_boxed_PoStProof_t *post = WORKS(generate_winning_post(&randomness, list, &sector->prover));
    CHECK(post->value.len == 1 && post->value.ptr[0].registered_proof == proof_type);
    write_file(path, post->value.ptr[0].proof.ptr, post->value.ptr[0].proof.len);
    DESTROY(post);
  } else {
    Result_GenerateWindowPoSt_t *post = WORKS(generate_window_post(&randomness, list, &sector->prover));
    CHECK(post->value.proofs.len == 1 && post->value.proofs.ptr[0].registered_proof == proof_type);
    CHECK(post->value.faulty_sectors.len == 0);
    write_file(path, post->value.proofs.ptr[0].proof.ptr, post->value.proofs.ptr[0].proof.len);
    DESTROY(post);
  }
  release_replica(&replicas[0]);
}

slice_boxed_uint8_t post_proof_of(const struct sector *sector, RegisteredPoStProof_t proof_type) {
  char name[32];
  snprintf(name, sizeof name, "post-%d", proof_type);
  struct path path = inside(&sector->dir, name);
  if (!exists(&path)) {
    prove_post(sector, proof_type, &path);
  }
  return read_file(&path);
}
