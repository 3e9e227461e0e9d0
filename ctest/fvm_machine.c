/* FVM machines in a program that is their host (fvm_host.h): creation, value transfers, flush, errors of the host. */
#include "fvm_host.h"

/* A network version of each of the three FVMs. */
static const uint32_t NETWORKS[] = {16, 18, 29};
enum { NETWORK_COUNT = 3, INSUFFICIENT_FUNDS = 6 };

#define CREATE(network, root, store)                                                                                   \
  create_fvm_machine(FVM_REGISTERED_VERSION_V1, 10, 1700000000, 314, 0, 0, 0, 0, network, CID_SLICE(root), true,       \
                     false, store, 1)

/* Takes the machine out of its response, as Go does. */
static InnerFvmMachine_t *take(Result_InnerFvmMachine_ptr_t *response) {
  InnerFvmMachine_t *machine = response->value;
  CHECK(machine != NULL);
  response->value = NULL;
  DESTROY(response);
  return machine;
}

static InnerFvmMachine_t *machine_on(uint32_t network, struct cid root) {
  return take(WORKS(CREATE(network, root, STORE)));
}

static struct cid flush(const InnerFvmMachine_t *machine) {
  Result_slice_boxed_uint8_t *flushed = WORKS(fvm_machine_flush(machine));
  struct cid root;
  CHECK(flushed->value.len == CID_BYTES);
  memcpy(root.bytes, flushed->value.ptr, CID_BYTES);
  TRY(SUCCESS, destroy_fvm_machine_flush_response(flushed));
  return root;
}

static void send(const InnerFvmMachine_t *machine, struct message message, uint64_t kind, uint64_t exit_code) {
  Result_FvmMachineExecuteResponse_t *done =
      WORKS(fvm_machine_execute_message(machine, bytes(message.bytes, message.len), message.len, kind));
  CHECK(done->value.exit_code == exit_code);
  CHECK(kind != 0 || done->value.gas_used > 0);
  CHECK(done->value.exec_trace.ptr != NULL && done->value.exec_trace.len > 0);
  TRY(SUCCESS, destroy_fvm_machine_execute_response(done));
}

/* With fees of zero the balances are exact: what was sent on cannot be sent again. */
static void transfers_value(void) {
  for (int i = 0; i < NETWORK_COUNT; i++) {
    const struct cid genesis = put_state(NETWORKS[i]);
    InnerFvmMachine_t *machine = machine_on(NETWORKS[i], genesis);
    send(machine, transfer(ALICE, BOB, 0, 400), 0, 0);
    const struct cid after = flush(machine);
    CHECK(memcmp(&genesis, &after, sizeof after) != 0);
    TRY(SUCCESS, drop_fvm_machine(machine));

    machine = machine_on(NETWORKS[i], after);
    send(machine, transfer(BOB, ALICE, 0, 400), 0, 0);
    send(machine, transfer(BOB, ALICE, 1, 1), 0, INSUFFICIENT_FUNDS);
    send(machine, transfer(ALICE, BOB, 1, 1001), 1, INSUFFICIENT_FUNDS);
    send(machine, transfer(ALICE, BOB, 1, 1000), 1, 0);
    flush(machine);
    drop_fvm_machine(machine);
    release_host();
  }
  CHECK(host_gets > 0 && host_puts > 0 && host_has > 0);
}

static void debug_machines_redirect_code(void) {
  const struct cid root = put_state(29);
  Result_InnerFvmMachine_ptr_t *created = WORKS(create_fvm_debug_machine(
      FVM_REGISTERED_VERSION_V1, 10, 0, 314, 0, 0, 0, 0, 29, CID_SLICE(root), NO_BYTES, true, true, STORE, 1));
  InnerFvmMachine_t *machine = take(created);
  send(machine, transfer(ALICE, BOB, 0, 1), 0, 0);
  drop_fvm_machine(machine);
  /* The machine that stays in its response is dropped with it. */
  DESTROY((Result_InnerFvmMachine_ptr_t *)WORKS(CREATE(29, root, STORE)));

  struct cid missing = root;
  missing.bytes[20] ^= 1;
  FAILS(MALFORMED,
        create_fvm_debug_machine(FVM_REGISTERED_VERSION_V1, 10, 0, 314, 0, 0, 0, 0, 29, CID_SLICE(root),
                                 CID_SLICE(missing), true, true, STORE, 1),
        "");
  release_host();
}

static void refuses_messages_that_do_not_decode(void) {
  const struct cid root = put_state(29);
  InnerFvmMachine_t *machine = machine_on(29, root);
  struct message good = transfer(ALICE, BOB, 0, 1);
  FAILS(EMPTY, fvm_machine_execute_message(machine, NO_BYTES, 0, 0), "the message does not decode");
  FAILS(EMPTY, fvm_machine_execute_message(machine, NULL_BYTES, 0, 0), "argument message is NULL");
  FAILS(MALFORMED, fvm_machine_execute_message(machine, bytes(good.bytes, good.len - 1), 0, 0), "does not decode");
  FAILS(MALFORMED, fvm_machine_execute_message(machine, text("{}"), 0, 0), "does not decode");
  send(machine, good, 0, 0); /* the machine is none the worse */
  drop_fvm_machine(machine);
  release_host();
}

static void reports_a_missing_state_root(void) {
  for (int i = 0; i < NETWORK_COUNT; i++) {
    struct cid root = put_state(NETWORKS[i]);
    root.bytes[37] ^= 1;
    FAILS(MALFORMED, CREATE(NETWORKS[i], root, STORE), "blockstore doesn't have the initial state-root");
    release_host();
  }
}

/* What the host's functions return becomes an error with their name and code. */
static void reports_errors_of_the_host(void) {
  const struct {
    uint64_t store;
    const char *code;
  } rows[] = {{STORE_INVALID_HANDLE, "-1"}, {STORE_IO, "-3"}, {STORE_PANIC, "-5"}};
  for (int i = 0; i < NETWORK_COUNT; i++) {
    const struct cid root = put_state(NETWORKS[i]);
    for (size_t j = 0; j < sizeof rows / sizeof rows[0]; j++) {
      FAILS(MALFORMED, CREATE(NETWORKS[i], root, rows[j].store), "cgo_blockstore_has");
      FAILS(MALFORMED, CREATE(NETWORKS[i], root, rows[j].store), rows[j].code);
    }
    release_host();
  }
}

static const struct check_case CASES[] = {
    {"transfers value", transfers_value},
    {"debug machines redirect code", debug_machines_redirect_code},
    {"refuses messages that do not decode", refuses_messages_that_do_not_decode},
    {"reports a missing state root", reports_a_missing_state_root},
    {"reports errors of the host", reports_errors_of_the_host},
};
CHECK_MAIN("fvm_machine", CASES)
