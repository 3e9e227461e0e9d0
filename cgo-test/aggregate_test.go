package cgotest

import (
	"testing"

	ffi "github.com/filecoin-project/filecoin-ffi"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/filecoin-project/go-state-types/proof"
	"github.com/stretchr/testify/require"
)

func aggregateOf(version abi.RegisteredAggregationProof, sectors ...*sector) proof.AggregateSealVerifyProofAndInfos {
	aggregate := proof.AggregateSealVerifyProofAndInfos{
		Miner: minerID, SealProof: sectors[0].sealType, AggregateProof: version,
	}
	for _, s := range sectors {
		aggregate.Infos = append(aggregate.Infos, proof.AggregateSealVerifyInfo{
			Number:                s.number,
			Randomness:            s.ticket,
			InteractiveRandomness: s.seed,
			SealedCID:             s.sealedCID,
			UnsealedCID:           s.unsealedCID,
		})
	}
	return aggregate
}

// Seals are aggregated with the test SRS. Three proofs are padded to four; the third is the second one again.
func TestAggregateSeals(t *testing.T) {
	sealed := sharedSectors(t)
	sectors := []*sector{sealed[0], sealed[1], sealed[1]}
	var proofs [][]byte
	for _, s := range sectors {
		proofs = append(proofs, s.commit(t))
	}

	for _, version := range []abi.RegisteredAggregationProof{
		abi.RegisteredAggregationProof_SnarkPackV1, abi.RegisteredAggregationProof_SnarkPackV2,
	} {
		for _, n := range []int{2, 3} {
			info := aggregateOf(version, sectors[:n]...)
			aggregate, err := ffi.AggregateSealProofs(info, proofs[:n])
			require.NoError(t, err)
			info.Proof = aggregate
			valid, err := ffi.VerifyAggregateSeals(info)
			accepted(t, valid, err)

			info.Proof = tampered(aggregate)
			valid, err = ffi.VerifyAggregateSeals(info)
			rejected(t, "a changed bit", valid, err)

			swapped := aggregateOf(version, append([]*sector{sectors[1], sectors[0]}, sectors[2:n]...)...)
			swapped.Proof = aggregate
			valid, err = ffi.VerifyAggregateSeals(swapped)
			rejected(t, "two sectors in the wrong order", valid, err)

			other := aggregateOf(1-version, sectors[:n]...)
			other.Proof = aggregate
			valid, err = ffi.VerifyAggregateSeals(other)
			rejected(t, "the other SnarkPack version", valid, err)
		}
	}
}

// One proof is aggregated with itself.
func TestAggregateOfOneSeal(t *testing.T) {
	s := sharedSectors(t)[0]
	info := aggregateOf(abi.RegisteredAggregationProof_SnarkPackV2, s)
	aggregate, err := ffi.AggregateSealProofs(info, [][]byte{s.commit(t)})
	require.NoError(t, err)
	info.Proof = aggregate
	valid, err := ffi.VerifyAggregateSeals(info)
	accepted(t, valid, err)
	other := aggregateOf(abi.RegisteredAggregationProof_SnarkPackV2, sharedSectors(t)[1])
	other.Proof = aggregate
	valid, err = ffi.VerifyAggregateSeals(other)
	rejected(t, "another sector", valid, err)
}

// What is no proof cannot be aggregated.
func TestAggregateOfNoProofIsAnError(t *testing.T) {
	info := aggregateOf(abi.RegisteredAggregationProof_SnarkPackV2, sharedSectors(t)[:2]...)
	_, err := ffi.AggregateSealProofs(info, [][]byte{make([]byte, 10), make([]byte, 192)})
	require.Error(t, err)
	t.Log(err)
}
