/* See fvm_host.h. */
#include "fvm_host.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- blocks ---- */

struct block {
  struct cid cid;
  uint8_t *data;
  size_t len;
};

static struct block *blocks;
static size_t block_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* machines call from threads of the library */
size_t host_gets, host_puts, host_has;

static void put_block(const uint8_t *cid, const uint8_t *data, size_t len) {
  pthread_mutex_lock(&lock);
  blocks = realloc(blocks, (block_count + 1) * sizeof *blocks);
  struct block *block = &blocks[block_count++];
  memcpy(block->cid.bytes, cid, CID_BYTES);
  block->data = malloc(len + 1);
  memcpy(block->data, data, len);
  block->len = len;
  pthread_mutex_unlock(&lock);
}

static const struct block *find_block(const uint8_t *key, int32_t key_len) {
  for (size_t i = 0; key_len == CID_BYTES && i < block_count; i++) {
    if (memcmp(blocks[i].cid.bytes, key, CID_BYTES) == 0) {
      return &blocks[i];
    }
  }
  return NULL;
}

void release_host(void) {
  for (size_t i = 0; i < block_count; i++) {
    free(blocks[i].data);
  }
  free(blocks);
  blocks = NULL;
  block_count = 0;
}

static int32_t store_error(uint64_t store) {
  switch (store) {
  case STORE:
    return 0;
  case STORE_IO:
    return FVM_ERROR_IO;
  case STORE_PANIC:
    return FVM_ERROR_PANIC;
  default:
    return FVM_ERROR_INVALID_HANDLE;
  }
}

/* ---- the functions of the host, as filecoin-ffi defines them ---- */

int32_t cgo_blockstore_get(uint64_t store, const uint8_t *key, int32_t key_len, uint8_t **block, int32_t *size);
int32_t cgo_blockstore_put(uint64_t store, const uint8_t *key, int32_t key_len, const uint8_t *data, int32_t len);
int32_t cgo_blockstore_put_many(uint64_t store, const int32_t *lengths, int32_t count, const uint8_t *data);
int32_t cgo_blockstore_has(uint64_t store, const uint8_t *key, int32_t key_len);
int32_t cgo_extern_get_chain_randomness(uint64_t handle, int64_t epoch, uint8_t *out);
int32_t cgo_extern_get_beacon_randomness(uint64_t handle, int64_t epoch, uint8_t *out);
int32_t cgo_extern_verify_consensus_fault(uint64_t handle, const uint8_t *h1, int32_t h1_len, const uint8_t *h2,
                                          int32_t h2_len, const uint8_t *extra, int32_t extra_len, uint64_t *miner,
                                          int64_t *epoch, int64_t *fault, int64_t *gas);
int32_t cgo_extern_get_tipset_cid(uint64_t handle, int64_t epoch, uint8_t *out, int32_t capacity);

int32_t cgo_blockstore_get(uint64_t store, const uint8_t *key, int32_t key_len, uint8_t **block, int32_t *size) {
  if (store_error(store) != 0) {
    return store_error(store);
  }
  pthread_mutex_lock(&lock);
  host_gets++;
  const struct block *found = find_block(key, key_len);
  if (found != NULL) {
    *block = malloc(found->len + 1); /* the library frees it */
    memcpy(*block, found->data, found->len);
    *size = (int32_t)found->len;
  }
  pthread_mutex_unlock(&lock);
  return found != NULL ? 0 : FVM_ERROR_NOT_FOUND;
}

int32_t cgo_blockstore_put(uint64_t store, const uint8_t *key, int32_t key_len, const uint8_t *data, int32_t len) {
  if (store_error(store) != 0 || key_len != CID_BYTES) {
    return store_error(store) != 0 ? store_error(store) : FVM_ERROR_INVALID_ARGUMENT;
  }
  host_puts++;
  put_block(key, data, (size_t)len);
  return 0;
}

int32_t cgo_blockstore_put_many(uint64_t store, const int32_t *lengths, int32_t count, const uint8_t *data) {
  for (int32_t i = 0; i < count; i++) {
    int32_t error = cgo_blockstore_put(store, data, CID_BYTES, data + CID_BYTES, lengths[i] - CID_BYTES);
    if (error != 0) {
      return error;
    }
    data += lengths[i];
  }
  return 0;
}

int32_t cgo_blockstore_has(uint64_t store, const uint8_t *key, int32_t key_len) {
  if (store_error(store) != 0) {
    return store_error(store);
  }
  pthread_mutex_lock(&lock);
  host_has++;
  const struct block *found = find_block(key, key_len);
  pthread_mutex_unlock(&lock);
  return found != NULL ? 1 : 0;
}

/* A chain without history: transfers ask for none of it. */
int32_t cgo_extern_get_chain_randomness(uint64_t handle, int64_t epoch, uint8_t *out) {
  (void)handle, (void)epoch, (void)out;
  return FVM_ERROR_NOT_FOUND;
}

int32_t cgo_extern_get_beacon_randomness(uint64_t handle, int64_t epoch, uint8_t *out) {
  return cgo_extern_get_chain_randomness(handle, epoch, out);
}

int32_t cgo_extern_verify_consensus_fault(uint64_t handle, const uint8_t *h1, int32_t h1_len, const uint8_t *h2,
                                          int32_t h2_len, const uint8_t *extra, int32_t extra_len, uint64_t *miner,
                                          int64_t *epoch, int64_t *fault, int64_t *gas) {
  (void)handle, (void)h1, (void)h1_len, (void)h2, (void)h2_len, (void)extra, (void)extra_len;
  (void)miner, (void)epoch, (void)gas;
  *fault = 0;
  return 0;
}

int32_t cgo_extern_get_tipset_cid(uint64_t handle, int64_t epoch, uint8_t *out, int32_t capacity) {
  (void)capacity;
  return cgo_extern_get_chain_randomness(handle, epoch, out);
}

/* ---- CBOR ---- */

struct cbor {
  uint8_t bytes[1024];
  size_t len;
};

enum { UNSIGNED = 0, BYTES = 2, TEXT = 3, ARRAY = 4, TAG = 6 };

static void head(struct cbor *out, uint8_t major, uint64_t value) {
  const int width = value < 24 ? 0 : value < 256 ? 1 : value < 65536 ? 2 : 8;
  const uint8_t info = width == 0 ? (uint8_t)value : width == 1 ? 24 : width == 2 ? 25 : 27;
  out->bytes[out->len++] = (uint8_t)(major << 5 | info);
  for (int i = width - 1; i >= 0; i--) {
    out->bytes[out->len++] = (uint8_t)(value >> (8 * i));
  }
}

static void string(struct cbor *out, uint8_t major, const void *data, size_t len) {
  head(out, major, len);
  memcpy(out->bytes + out->len, data, len);
  out->len += len;
}

static void link(struct cbor *out, struct cid cid) {
  uint8_t prefixed[CID_BYTES + 1] = {0};
  memcpy(prefixed + 1, cid.bytes, CID_BYTES);
  head(out, TAG, 42);
  string(out, BYTES, prefixed, sizeof prefixed);
}

/* An amount: a sign byte and the big-endian number; nothing for zero. */
static void amount(struct cbor *out, uint64_t value) {
  uint8_t number[9] = {0};
  size_t len = 1;
  for (int shift = 56; shift >= 0; shift -= 8) {
    if (len > 1 || value >> shift != 0) {
      number[len++] = (uint8_t)(value >> shift);
    }
  }
  string(out, BYTES, number, value == 0 ? 0 : len);
}

/* The address of an actor with an id below 128. */
static void id_address(struct cbor *out, uint64_t id) {
  const uint8_t address[2] = {0, (uint8_t)id};
  string(out, BYTES, address, 2);
}

/* ---- the state ---- */

enum { RAW = 0x55, DAG_CBOR = 0x71 };

/* Machines take the store's word for what a CID names, so any digest serves. */
static struct cid made_up_cid(uint8_t codec, uint8_t number) {
  struct cid cid = {{0x01, codec, 0xa0, 0xe4, 0x02, 0x20}};
  memset(cid.bytes + 6, number, 32);
  return cid;
}

static struct cid put_cbor(uint8_t number, const struct cbor *block) {
  struct cid cid = made_up_cid(DAG_CBOR, number);
  put_block(cid.bytes, block->bytes, block->len);
  return cid;
}

/* (module (memory (export "memory") 1) (func (export "invoke") (param i32) (result i32) i32.const 0)) */
static const uint8_t ACTOR_CODE[] = {0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x06, 0x01, 0x60, 0x01, 0x7f,
                                     0x01, 0x7f, 0x03, 0x02, 0x01, 0x00, 0x05, 0x03, 0x01, 0x00, 0x01, 0x07, 0x13, 0x02,
                                     0x06, 'm',  'e',  'm',  'o',  'r',  'y',  0x02, 0x00, 0x06, 'i',  'n',  'v',  'o',
                                     'k',  'e',  0x00, 0x00, 0x0a, 0x06, 0x01, 0x04, 0x00, 0x41, 0x00, 0x0b};

enum { SYSTEM_CODE = 10, ACCOUNT_CODE = 11 };

/* The names that machines insist on, each with code of its own. */
static struct cid put_manifest(void) {
  static const char *const NAMES[] = {"system", "account",     "init", "cron",
                                      "reward", "placeholder", "eam",  "ethaccount"};
  struct cbor manifest = {.len = 0};
  head(&manifest, ARRAY, 8);
  for (uint8_t i = 0; i < 8; i++) {
    struct cid code = made_up_cid(RAW, (uint8_t)(SYSTEM_CODE + i));
    put_block(code.bytes, ACTOR_CODE, sizeof ACTOR_CODE);
    head(&manifest, ARRAY, 2);
    string(&manifest, TEXT, NAMES[i], strlen(NAMES[i]));
    link(&manifest, code);
  }
  return put_cbor(1, &manifest);
}

/* A leaf of the actors' HAMT. From network version 18 an actor may also have a delegated address. */
static void actor(struct cbor *out, uint32_t network_version, uint64_t id, uint8_t code, struct cid state,
                  uint64_t balance) {
  head(out, ARRAY, 1);
  head(out, ARRAY, 2);
  id_address(out, id);
  head(out, ARRAY, network_version >= 18 ? 5 : 4);
  link(out, made_up_cid(RAW, code));
  link(out, state);
  head(out, UNSIGNED, 0);
  amount(out, balance);
  if (network_version >= 18) {
    out->bytes[out->len++] = 0xf6;
  }
}

struct cid put_state(uint32_t network_version) {
  struct cbor system = {.len = 0}, empty = {.len = 0}, actors = {.len = 0}, root = {.len = 0};
  head(&system, ARRAY, 1);
  link(&system, put_manifest());
  head(&empty, ARRAY, 0);
  struct cid system_state = put_cbor(2, &system), no_state = put_cbor(3, &empty);

  /* One node. The index of an actor is the first five bits of the SHA-256 of its address: f0101 5, f099 11, f00 18,
     f0100 26, f02 31. */
  static const uint8_t OCCUPIED[] = {0x84, 0x04, 0x08, 0x20};
  head(&actors, ARRAY, 2);
  string(&actors, BYTES, OCCUPIED, sizeof OCCUPIED);
  head(&actors, ARRAY, 5);
  actor(&actors, network_version, BOB, ACCOUNT_CODE, no_state, 0);
  actor(&actors, network_version, 99, ACCOUNT_CODE, no_state, 0);
  actor(&actors, network_version, 0, SYSTEM_CODE, system_state, 0);
  actor(&actors, network_version, ALICE, ACCOUNT_CODE, no_state, 1000);
  actor(&actors, network_version, 2, ACCOUNT_CODE, no_state, 0);

  head(&root, ARRAY, 3);
  head(&root, UNSIGNED, network_version >= 18 ? 5 : 4);
  link(&root, put_cbor(4, &actors));
  link(&root, no_state);
  return put_cbor(5, &root);
}

struct message transfer(uint64_t from, uint64_t to, uint64_t sequence, uint64_t attofil) {
  struct cbor cbor = {.len = 0};
  head(&cbor, ARRAY, 10);
  head(&cbor, UNSIGNED, 0); /* version */
  id_address(&cbor, to);
  id_address(&cbor, from);
  head(&cbor, UNSIGNED, sequence);
  amount(&cbor, attofil);
  head(&cbor, UNSIGNED, 10000000); /* gas limit, fee cap, premium */
  amount(&cbor, 0);
  amount(&cbor, 0);
  head(&cbor, UNSIGNED, 0); /* method: only send */
  string(&cbor, BYTES, "", 0);
  struct message message = {.len = cbor.len};
  memcpy(message.bytes, cbor.bytes, cbor.len);
  return message;
}
