package cgotest

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"testing"

	ffi "github.com/filecoin-project/filecoin-ffi"
	"github.com/filecoin-project/filecoin-ffi/cgo"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/filecoin-project/go-state-types/big"
	"github.com/filecoin-project/go-state-types/builtin"
	"github.com/filecoin-project/go-state-types/network"
	"github.com/ipfs/go-cid"
	cbor "github.com/ipfs/go-ipld-cbor"
	"github.com/stretchr/testify/require"
)

// One network version for each version of the FVM, with built-in actors of its time. The newest actors serve the newest
// network version too.
var fvmNetworks = []struct {
	network network.Version
	actors  int
}{
	{network.Version16, 8},
	{network.Version18, 10},
	{29, 18},
}

func forEachFvm(t *testing.T, since network.Version, test func(t *testing.T, chain *fvmChain)) {
	for _, tested := range fvmNetworks {
		if tested.network < since {
			continue
		}
		t.Run(fmt.Sprintf("nv%d", tested.network), func(t *testing.T) {
			test(t, newFvmChain(t, tested.network, tested.actors))
			// Machines are dropped by finalizers.
			runtime.GC()
			runtime.GC()
		})
	}
}

// spent adds up what messages cost their sender beside their value, and checks that each gas limit is accounted for.
func spent(t *testing.T, applied ...*ffi.ApplyRet) (burnt, tips big.Int) {
	t.Helper()
	burnt, tips = big.Zero(), big.Zero()
	for _, ret := range applied {
		require.Positive(t, ret.GasUsed)
		require.Equal(t, big.NewInt(ret.GasUsed*baseFee), ret.BaseFeeBurn)
		require.Equal(t, big.NewInt(gasLimit*gasPremium), ret.MinerTip)
		require.True(t, ret.MinerPenalty.IsZero())
		cost := big.Sum(ret.BaseFeeBurn, ret.OverEstimationBurn, ret.MinerTip)
		require.Equal(t, big.NewInt(gasLimit*feeCap), big.Add(cost, ret.Refund))
		burnt = big.Sum(burnt, ret.BaseFeeBurn, ret.OverEstimationBurn)
		tips = big.Add(tips, ret.MinerTip)
	}
	return burnt, tips
}

func TestFvmTransfersValueBetweenAccounts(t *testing.T) {
	forEachFvm(t, network.Version16, func(t *testing.T, chain *fvmChain) {
		machine := chain.machine(t, chain.root)
		require.Positive(t, chain.count("Has"), "creation looks the state root up")
		viewed := chain.count("View")
		require.Positive(t, viewed)

		// 20 FIL, more than 64 bits of attoFIL.
		value := big.Mul(big.NewInt(20), big.NewInt(1e18))
		first := chain.apply(t, machine, fvmMessage{to: chain.receiver, value: value})
		require.Zero(t, first.ExitCode, first.FailureInfo)
		require.Empty(t, first.Return)
		require.Empty(t, first.FailureInfo)
		require.Greater(t, chain.count("View"), viewed, "execution reads the accounts")
		checkTrace(t, first.ExecTraceBytes)

		// An address without an actor gets an account, which the account actor's own code constructs.
		second := chain.apply(t, machine, fvmMessage{nonce: 1, to: keyAddress(t), value: big.NewInt(5)})
		require.Zero(t, second.ExitCode, second.FailureInfo)

		require.Zero(t, chain.count("PutMany"), "nothing is written before the flush")
		root, err := machine.Flush()
		require.NoError(t, err)
		require.NotEqual(t, chain.root, root)
		require.Positive(t, chain.count("PutMany"))
		stored, err := chain.hostChain.Has(context.Background(), root)
		require.NoError(t, err)
		require.True(t, stored, "the blockstore has the new state root")

		burnt, tips := spent(t, first, second)
		left := big.Sub(wealth, big.Sum(value, big.NewInt(5), burnt, tips))
		require.Equal(t, left, chain.balance(t, root, senderID))
		require.Equal(t, big.Add(value, big.NewInt(7)), chain.balance(t, root, receiverID))
		require.Equal(t, big.NewInt(5), chain.balance(t, root, nextID))
		require.Equal(t, burnt, chain.balance(t, root, burntID))
		require.Equal(t, tips, chain.balance(t, root, rewardID))
		require.Equal(t, wealth, chain.balance(t, chain.root, senderID), "the old state stays as it was")

		// A machine on the flushed state goes on from there.
		next := chain.machine(t, root)
		again := chain.apply(t, next, fvmMessage{to: chain.receiver, value: value})
		require.NotZero(t, again.ExitCode, "the nonce was used")
		require.NotEmpty(t, again.FailureInfo)
		again = chain.apply(t, next, fvmMessage{nonce: 2, to: chain.receiver, value: value})
		require.Zero(t, again.ExitCode, again.FailureInfo)
		t.Logf("has %d, view %d, put %d, put many %d, gas %d and %d", chain.count("Has"), chain.count("View"),
			chain.count("Put"), chain.count("PutMany"), first.GasUsed, second.GasUsed)
	})
}

// checkTrace takes a trace apart as far as Lotus's types do: message, return, actor, gas charges, subcalls, logs, blocks.
func checkTrace(t *testing.T, trace []byte) {
	t.Helper()
	require.NotEmpty(t, trace)
	var call []interface{}
	require.NoError(t, cbor.DecodeInto(trace, &call))
	require.Len(t, call, 7)
	require.Len(t, call[0], 8)
	require.Len(t, call[1], 3)
	charges := call[3].([]interface{})
	require.NotEmpty(t, charges)
	for _, charge := range charges {
		require.Len(t, charge, 5)
	}
}

func TestFvmAsksTheNodeForConsensusFaults(t *testing.T) {
	forEachFvm(t, network.Version16, func(t *testing.T, chain *fvmChain) {
		// The host finds a fault of a miner that is not the one it was reported to, so the miner actor rejects it.
		chain.fault = cgo.ConsensusFault{
			Target: idAddress(t, 4321), Epoch: fvmEpoch - 1, Type: cgo.ConsensusFaultDoubleForkMining,
		}
		params, err := cbor.DumpObject([]interface{}{[]byte("one header"), []byte("another"), []byte{}})
		require.NoError(t, err)
		machine := chain.machine(t, chain.root)
		applied := chain.apply(t, machine, fvmMessage{
			to: idAddress(t, faultyMinerID), method: builtin.MethodsMiner.ReportConsensusFault, params: params,
		})
		require.Equal(t, 1, chain.count("VerifyConsensusFault"))
		require.EqualValues(t, 16, applied.ExitCode, applied.FailureInfo)
		require.Contains(t, applied.FailureInfo, "4321")
	})
}

// Contracts ask for both. Before network version 18 there are none, and no built-in actor asks without a long history.
func TestFvmAsksTheNodeForRandomnessAndTipsets(t *testing.T) {
	forEachFvm(t, network.Version18, func(t *testing.T, chain *fvmChain) {
		// PREVRANDAO to memory, BLOCKHASH of the previous epoch to memory, and return no code.
		contract := []byte{0x44, 0x60, 0, 0x52, 0x60, 1, 0x43, 0x03, 0x40, 0x60, 0x20, 0x52, 0x60, 0, 0x60, 0, 0xf3}
		var params bytes.Buffer
		code := abi.CborBytes(contract)
		require.NoError(t, code.MarshalCBOR(&params))
		machine := chain.machine(t, chain.root)
		applied := chain.apply(t, machine, fvmMessage{
			to: idAddress(t, eamID), method: builtin.MethodsEAM.CreateExternal, params: params.Bytes(),
		})
		require.Zero(t, applied.ExitCode, applied.FailureInfo)
		require.NotEmpty(t, applied.Return, "the contract's addresses")
		require.Positive(t, chain.count("GetBeaconRandomness"))
		require.Equal(t, 1, chain.count("TipsetCid"))
	})
}

func TestFvmErrorsReachGo(t *testing.T) {
	chain := newFvmChain(t, 29, 18)
	options := ffi.FVMOpts{Externs: chain.hostChain, BaseFee: big.Zero(), BaseCircSupply: big.Zero(), NetworkVersion: 29}
	missing, err := cid.Prefix{Version: 1, Codec: cid.DagCBOR, MhType: 0xb220, MhLength: 32}.Sum([]byte("no such state"))
	require.NoError(t, err)
	options.StateBase = missing
	_, err = ffi.CreateFVM(&options)
	require.ErrorContains(t, err, "blockstore doesn't have the initial state-root "+missing.String())

	options.StateBase = chain.root
	options.NetworkVersion = 15
	_, err = ffi.CreateFVM(&options)
	require.ErrorContains(t, err, "network version not supported")

	machine := chain.machine(t, chain.root)
	_, err = machine.ApplyMessage([]byte("not a message"), 13)
	require.ErrorContains(t, err, "the message does not decode")
	_, err = machine.ApplyMessage(nil, 0)
	require.ErrorContains(t, err, "the message does not decode")
}
