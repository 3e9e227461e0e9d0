/*
 * A host for FVM machines: the eight functions that the library looks up in the program, over blocks in memory, and a
 * small state to run messages on.
 */
#ifndef CTEST_FVM_HOST_H
#define CTEST_FVM_HOST_H

#include "check.h"

enum {
  CID_BYTES = 38,
  /* Handles. The first is a store that works; the others return the error in their name to every call. */
  STORE = 1,
  STORE_INVALID_HANDLE = 2,
  STORE_IO = 3,
  STORE_PANIC = 4,
  /* Actors of the state. */
  ALICE = 100,
  BOB = 101,
};

struct cid {
  uint8_t bytes[CID_BYTES];
};
#define CID_SLICE(cid) bytes((cid).bytes, CID_BYTES)

/* How often each kind of host function was called. */
extern size_t host_gets, host_puts, host_has;

/* Puts a state tree into the store: Alice has 1000 attoFIL, Bob none. Gives its root. */
struct cid put_state(uint32_t network_version);

/* A message without fees, CBOR. */
struct message {
  uint8_t bytes[128];
  size_t len;
};
struct message transfer(uint64_t from, uint64_t to, uint64_t sequence, uint64_t attofil);

void release_host(void);

#endif
