package cgotest

import (
	"context"
	"errors"
	"sync"
	"testing"

	ffi "github.com/filecoin-project/filecoin-ffi"
	"github.com/filecoin-project/filecoin-ffi/cgo"
	"github.com/filecoin-project/go-address"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/filecoin-project/go-state-types/big"
	"github.com/filecoin-project/go-state-types/builtin"
	"github.com/filecoin-project/go-state-types/builtin/v10/account"
	init_ "github.com/filecoin-project/go-state-types/builtin/v10/init"
	"github.com/filecoin-project/go-state-types/builtin/v10/util/adt"
	"github.com/filecoin-project/go-state-types/manifest"
	"github.com/filecoin-project/go-state-types/network"
	block "github.com/ipfs/go-block-format"
	"github.com/ipfs/go-cid"
	cbor "github.com/ipfs/go-ipld-cbor"
	ipld "github.com/ipfs/go-ipld-format"
	"github.com/multiformats/go-multihash"
	"github.com/stretchr/testify/require"
	cbg "github.com/whyrusleeping/cbor-gen"
)

// hostChain is what a machine sees of the node: a blockstore in memory and a made-up chain. It counts every call.
type hostChain struct {
	mu     sync.Mutex
	blocks map[cid.Cid]block.Block
	calls  map[string]int
	tipset cid.Cid
	fault  cgo.ConsensusFault
}

var _ cgo.Externs = (*hostChain)(nil)

func (c *hostChain) called(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[name]++
}

func (c *hostChain) count(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[name]
}

func (c *hostChain) load(id cid.Cid) (block.Block, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if stored, ok := c.blocks[id]; ok {
		return stored, nil
	}
	return nil, ipld.ErrNotFound{Cid: id}
}

func (c *hostChain) store(blocks ...block.Block) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, stored := range blocks {
		c.blocks[stored.Cid()] = stored
	}
}

func (c *hostChain) Has(_ context.Context, id cid.Cid) (bool, error) {
	c.called("Has")
	_, err := c.load(id)
	return err == nil, nil
}

func (c *hostChain) View(_ context.Context, id cid.Cid, read func([]byte) error) error {
	c.called("View")
	stored, err := c.load(id)
	if err != nil {
		return err
	}
	return read(stored.RawData())
}

func (c *hostChain) Get(_ context.Context, id cid.Cid) (block.Block, error) {
	return c.load(id)
}

func (c *hostChain) Put(_ context.Context, stored block.Block) error {
	c.called("Put")
	c.store(stored)
	return nil
}

func (c *hostChain) PutMany(_ context.Context, blocks []block.Block) error {
	c.called("PutMany")
	c.store(blocks...)
	return nil
}

var errNoMachineAsks = errors.New("no machine asks for this")

func (c *hostChain) GetSize(context.Context, cid.Cid) (int, error) { return 0, errNoMachineAsks }
func (c *hostChain) DeleteBlock(context.Context, cid.Cid) error    { return errNoMachineAsks }
func (c *hostChain) AllKeysChan(context.Context) (<-chan cid.Cid, error) {
	return nil, errNoMachineAsks
}
func (c *hostChain) HashOnRead(bool) {}
func (c *hostChain) TipsetCid(context.Context, abi.ChainEpoch) (cid.Cid, error) {
	c.called("TipsetCid")
	return c.tipset, nil
}

func (c *hostChain) GetChainRandomness(context.Context, abi.ChainEpoch) ([32]byte, error) {
	c.called("GetChainRandomness")
	return [32]byte{1}, nil
}

func (c *hostChain) GetBeaconRandomness(context.Context, abi.ChainEpoch) ([32]byte, error) {
	c.called("GetBeaconRandomness")
	return [32]byte{2}, nil
}

func (c *hostChain) VerifyConsensusFault(context.Context, []byte, []byte, []byte) (*cgo.ConsensusFault, int64) {
	c.called("VerifyConsensusFault")
	return &c.fault, 1000
}

const (
	rewardID = abi.ActorID(2)
	eamID    = abi.ActorID(10)
	burntID  = abi.ActorID(99)
	// Ids below 100 are the system's.
	senderID      = abi.ActorID(100)
	receiverID    = abi.ActorID(101)
	faultyMinerID = abi.ActorID(102)
	nextID        = abi.ActorID(103)
)

// fvmChain is a chain that starts with the built-in actors of one version and two accounts.
type fvmChain struct {
	*hostChain
	network          network.Version
	root             cid.Cid
	sender, receiver address.Address
}

// wealth is what the sender has at first: 1,000 FIL, more than 64 bits of attoFIL.
var wealth = big.Mul(big.NewInt(1000), big.NewInt(1e18))

func idAddress(t *testing.T, id abi.ActorID) address.Address {
	t.Helper()
	addr, err := address.NewIDAddress(uint64(id))
	require.NoError(t, err)
	return addr
}

// keyAddress is the BLS address of a new key.
func keyAddress(t *testing.T) address.Address {
	t.Helper()
	key := ffi.PrivateKeyPublicKey(ffi.PrivateKeyGenerate())
	require.NotNil(t, key)
	addr, err := address.NewBLSAddress(key[:])
	require.NoError(t, err)
	return addr
}

// newFvmChain writes the first state into a new blockstore, as a genesis block would.
func newFvmChain(t *testing.T, version network.Version, actorsVersion int) *fvmChain {
	t.Helper()
	bundle, blocks := actorsBundle(t, actorsVersion, "mainnet")
	chain := &fvmChain{
		hostChain: &hostChain{blocks: map[cid.Cid]block.Block{}, calls: map[string]int{}, tipset: bundle},
		network:   version,
		sender:    keyAddress(t),
		receiver:  keyAddress(t),
	}
	chain.store(blocks...)

	store := chain.adtStore()
	var actors manifest.Manifest
	require.NoError(t, store.Get(store.Context(), bundle, &actors))
	require.NoError(t, actors.Load(store.Context(), store))
	tree, err := builtin.NewTree(store)
	require.NoError(t, err)
	set := func(id abi.ActorID, name string, head cid.Cid, balance big.Int) {
		code, ok := actors.Get(name)
		require.True(t, ok, "the bundle has no %s", name)
		chain.setActor(t, tree, id, builtin.ActorV4{Code: code, Head: head, Balance: balance})
	}
	accountOf := func(addr address.Address) cid.Cid {
		head, err := store.Put(store.Context(), &account.State{Address: addr})
		require.NoError(t, err)
		return head
	}
	empty := chain.putObject(t, []interface{}{})
	set(0, manifest.SystemKey, chain.putObject(t, []interface{}{actors.Data}), big.Zero())
	set(1, manifest.InitKey, chain.initState(t), big.Zero())
	set(rewardID, manifest.RewardKey, empty, big.Zero())
	set(burntID, manifest.AccountKey, accountOf(idAddress(t, burntID)), big.Zero())
	set(senderID, manifest.AccountKey, accountOf(chain.sender), wealth)
	set(receiverID, manifest.AccountKey, accountOf(chain.receiver), big.NewInt(7))
	set(faultyMinerID, manifest.MinerKey, empty, big.Zero())
	if version >= network.Version18 {
		set(eamID, manifest.EamKey, empty, big.Zero())
	}
	top, err := tree.Flush()
	require.NoError(t, err)
	chain.root = chain.putObject(t, []interface{}{chain.treeVersion(), top, empty})
	return chain
}

// initState is the init actor's state: it knows the ids of the two accounts.
func (c *fvmChain) initState(t *testing.T) cid.Cid {
	t.Helper()
	store := c.adtStore()
	ids, err := adt.MakeEmptyMap(store, builtin.DefaultHamtBitwidth)
	require.NoError(t, err)
	for addr, id := range map[address.Address]abi.ActorID{c.sender: senderID, c.receiver: receiverID} {
		number := cbg.CborInt(id)
		require.NoError(t, ids.Put(abi.AddrKey(addr), &number))
	}
	addressMap, err := ids.Root()
	require.NoError(t, err)
	head, err := store.Put(store.Context(), &init_.State{AddressMap: addressMap, NextID: nextID, NetworkName: "test"})
	require.NoError(t, err)
	return head
}

// setActor writes an actor in the form of the network version.
func (c *fvmChain) setActor(t *testing.T, tree *builtin.ActorTree, id abi.ActorID, actor builtin.ActorV4) {
	t.Helper()
	if c.network < network.Version18 {
		require.NoError(t, tree.SetActorV4(idAddress(t, id), &actor))
		return
	}
	newer := builtin.ActorV5{Code: actor.Code, Head: actor.Head, Balance: actor.Balance}
	require.NoError(t, tree.SetActorV5(idAddress(t, id), &newer))
}

func (c *fvmChain) treeVersion() uint64 {
	if c.network < network.Version18 {
		return 4
	}
	return 5
}

func (c *fvmChain) adtStore() adt.Store {
	// Not through the counted calls: those are the machine's.
	return adt.WrapStore(context.Background(), cbor.NewCborStore(uncounted{c.hostChain}))
}

type uncounted struct{ *hostChain }

func (u uncounted) Put(_ context.Context, stored block.Block) error {
	u.store(stored)
	return nil
}

// View is there so that the store does not find the counted one.
func (u uncounted) View(_ context.Context, id cid.Cid, read func([]byte) error) error {
	stored, err := u.load(id)
	if err != nil {
		return err
	}
	return read(stored.RawData())
}

func (c *fvmChain) putObject(t *testing.T, object interface{}) cid.Cid {
	t.Helper()
	node, err := cbor.WrapObject(object, multihash.BLAKE2B_MIN+31, -1)
	require.NoError(t, err)
	c.store(node)
	return node.Cid()
}

// balance is an actor's balance under a state root, in attoFIL.
func (c *fvmChain) balance(t *testing.T, root cid.Cid, id abi.ActorID) big.Int {
	t.Helper()
	stored, err := c.load(root)
	require.NoError(t, err, "the blockstore has no state root %s", root)
	var parts []interface{}
	require.NoError(t, cbor.DecodeInto(stored.RawData(), &parts))
	require.Len(t, parts, 3)
	tree, err := builtin.LoadTree(c.adtStore(), parts[1].(cid.Cid))
	require.NoError(t, err)
	if c.network < network.Version18 {
		actor, found, err := tree.GetActorV4(idAddress(t, id))
		require.NoError(t, err)
		require.True(t, found)
		return actor.Balance
	}
	actor, found, err := tree.GetActorV5(idAddress(t, id))
	require.NoError(t, err)
	require.True(t, found)
	return actor.Balance
}

const (
	fvmEpoch   = 1000
	baseFee    = 100
	feeCap     = 250
	gasPremium = 10
	gasLimit   = 5_000_000_000
)

func (c *fvmChain) machine(t *testing.T, root cid.Cid) *ffi.FVM {
	t.Helper()
	machine, err := ffi.CreateFVM(&ffi.FVMOpts{
		Externs:        c.hostChain,
		Epoch:          fvmEpoch,
		Timestamp:      1_700_000_000,
		ChainID:        314,
		BaseFee:        big.NewInt(baseFee),
		BaseCircSupply: big.Mul(big.NewInt(500_000_000), big.NewInt(1e18)),
		NetworkVersion: c.network,
		StateBase:      root,
		Tracing:        true,
	})
	require.NoError(t, err)
	return machine
}

// fvmMessage is a message of the sender's. The zero value of all but nonce and receiver is a transfer of nothing.
type fvmMessage struct {
	nonce  uint64
	to     address.Address
	value  big.Int
	method abi.MethodNum
	params []byte
}

// apply executes a message, encoded as on chain.
func (c *fvmChain) apply(t *testing.T, machine *ffi.FVM, message fvmMessage) *ffi.ApplyRet {
	t.Helper()
	amount := func(amount big.Int) []byte {
		if amount.Nil() {
			amount = big.Zero()
		}
		bytes, err := amount.Bytes()
		require.NoError(t, err)
		return bytes
	}
	encoded, err := cbor.DumpObject([]interface{}{
		uint64(0), message.to.Bytes(), c.sender.Bytes(), message.nonce, amount(message.value), uint64(gasLimit),
		amount(big.NewInt(feeCap)), amount(big.NewInt(gasPremium)), uint64(message.method), append([]byte{}, message.params...),
	})
	require.NoError(t, err)
	applied, err := machine.ApplyMessage(encoded, uint(len(encoded)))
	require.NoError(t, err)
	return applied
}
