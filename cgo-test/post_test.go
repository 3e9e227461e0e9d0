package cgotest

import (
	"os"
	"testing"

	ffi "github.com/filecoin-project/filecoin-ffi"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/filecoin-project/go-state-types/proof"
	"github.com/stretchr/testify/require"
)

func sectorInfos(sectors []*sector) (infos []proof.SectorInfo) {
	for _, s := range sectors {
		infos = append(infos, s.info())
	}
	return infos
}

func privateInfos(sectors []*sector, post abi.RegisteredPoStProof) ffi.SortedPrivateSectorInfo {
	var private []ffi.PrivateSectorInfo
	for _, s := range sectors {
		private = append(private, s.private(post))
	}
	return ffi.NewSortedPrivateSectorInfo(private...)
}

// vanillaProofs answers the challenges of every sector: the part that reads the sectors' files.
func vanillaProofs(t *testing.T, post abi.RegisteredPoStProof, randomness []byte, sectors []*sector) (proofs [][]byte) {
	t.Helper()
	var numbers []abi.SectorNumber
	for _, s := range sectors {
		numbers = append(numbers, s.number)
	}
	challenges, err := ffi.GeneratePoStFallbackSectorChallenges(post, minerID, randomness, numbers)
	require.NoError(t, err)
	require.Equal(t, numbers, challenges.Sectors)
	for _, s := range sectors {
		vanilla, err := ffi.GenerateSingleVanillaProof(s.private(post), challenges.Challenges[s.number])
		require.NoError(t, err)
		proofs = append(proofs, vanilla)
	}
	return proofs
}

func verifyWinning(proofs []proof.PoStProof, randomness []byte, sectors []*sector) (bool, error) {
	return ffi.VerifyWinningPoSt(proof.WinningPoStVerifyInfo{
		Randomness: randomness, Proofs: proofs, ChallengedSectors: sectorInfos(sectors), Prover: minerID,
	})
}

func verifyWindow(proofs []proof.PoStProof, randomness []byte, sectors []*sector) (bool, error) {
	return ffi.VerifyWindowPoSt(proof.WindowPoStVerifyInfo{
		Randomness: randomness, Proofs: proofs, ChallengedSectors: sectorInfos(sectors), Prover: minerID,
	})
}

func withBytes(proofs []proof.PoStProof, bytes []byte) []proof.PoStProof {
	return []proof.PoStProof{{PoStProof: proofs[0].PoStProof, ProofBytes: bytes}}
}

func TestWinningPoSt(t *testing.T) {
	sectors := sharedSectors(t)
	randomness := randomFr(t)
	indices, err := ffi.GenerateWinningPoStSectorChallenge(winningType, minerID, randomness, uint64(len(sectors)))
	require.NoError(t, err)
	require.Len(t, indices, 1)
	challenged := []*sector{sectors[indices[0]]}

	whole, err := ffi.GenerateWinningPoSt(minerID, privateInfos(challenged, winningType), randomness)
	require.NoError(t, err)
	fromVanilla, err := ffi.GenerateWinningPoStWithVanilla(
		winningType, minerID, randomness, vanillaProofs(t, winningType, randomness, challenged))
	require.NoError(t, err)

	for _, proofs := range [][]proof.PoStProof{whole, fromVanilla} {
		valid, err := verifyWinning(proofs, randomness, challenged)
		accepted(t, valid, err)
		valid, err = verifyWinning(withBytes(proofs, tampered(proofs[0].ProofBytes)), randomness, challenged)
		rejected(t, "a changed bit", valid, err)
		valid, err = verifyWinning(proofs, randomFr(t), challenged)
		rejected(t, "other randomness", valid, err)
		other := []*sector{sectors[(indices[0]+1)%3]}
		valid, err = verifyWinning(proofs, randomness, other)
		rejected(t, "another sector", valid, err)
	}
}

// Three sectors make two partitions at this size: the proof as a whole, from vanilla proofs, and partition by
// partition as several machines would make it, then merged.
func TestWindowPoSt(t *testing.T) {
	sectors := sharedSectors(t)
	randomness := randomFr(t)
	partitions, err := ffi.GetNumPartitionForFallbackPost(windowType, uint(len(sectors)))
	require.NoError(t, err)
	require.Equal(t, uint(2), partitions)

	whole, faulty, err := ffi.GenerateWindowPoSt(minerID, privateInfos(sectors, windowType), randomness)
	require.NoError(t, err)
	require.Empty(t, faulty)

	vanilla := vanillaProofs(t, windowType, randomness, sectors)
	fromVanilla, err := ffi.GenerateWindowPoStWithVanilla(windowType, minerID, randomness, vanilla)
	require.NoError(t, err)

	var parts []ffi.PartitionProof
	for i, ofPartition := range [][][]byte{vanilla[:2], vanilla[2:]} {
		part, err := ffi.GenerateSinglePartitionWindowPoStWithVanilla(
			windowType, minerID, randomness, ofPartition, uint(i))
		require.NoError(t, err)
		parts = append(parts, *part)
	}
	merged, err := ffi.MergeWindowPoStPartitionProofs(windowType, parts)
	require.NoError(t, err)

	for _, proofs := range [][]proof.PoStProof{whole, fromVanilla, {*merged}} {
		require.Len(t, proofs, 1)
		require.Len(t, proofs[0].ProofBytes, 2*192)
		valid, err := verifyWindow(proofs, randomness, sectors)
		accepted(t, valid, err)
		valid, err = verifyWindow(withBytes(proofs, tampered(proofs[0].ProofBytes)), randomness, sectors)
		rejected(t, "a changed bit", valid, err)
		valid, err = verifyWindow(proofs, randomFr(t), sectors)
		rejected(t, "other randomness", valid, err)
	}

	merged, err = ffi.MergeWindowPoStPartitionProofs(windowType, []ffi.PartitionProof{parts[1], parts[0]})
	require.NoError(t, err)
	valid, err := verifyWindow([]proof.PoStProof{*merged}, randomness, sectors)
	rejected(t, "partitions in the wrong order", valid, err)
}

// Sectors whose data went bad are named, and the others can then be proved without them.
func TestWindowPoStNamesFaultySectors(t *testing.T) {
	good := sharedSectors(t)
	dir := t.TempDir()
	emptied := preCommit(t, dir, sealType, 60, randomBytes(t, int(sectorBytes.Unpadded())))
	require.NoError(t, os.Truncate(emptied.sealed, 0))
	overwritten := preCommit(t, dir, sealType, 61, randomBytes(t, int(sectorBytes.Unpadded())))
	require.NoError(t, os.WriteFile(overwritten.sealed, make([]byte, sectorBytes), 0o644))
	all := []*sector{good[0], good[1], good[2], emptied, overwritten}
	randomness := randomFr(t)

	proofs, faulty, err := ffi.GenerateWindowPoSt(minerID, privateInfos(all, windowType), randomness)
	require.ErrorContains(t, err, "faulty sectors")
	require.Empty(t, proofs)
	require.Equal(t, []abi.SectorNumber{emptied.number, overwritten.number}, faulty)

	proofs, faulty, err = ffi.GenerateWindowPoSt(minerID, privateInfos(good, windowType), randomness)
	require.NoError(t, err)
	require.Empty(t, faulty)
	valid, err := verifyWindow(proofs, randomness, good)
	accepted(t, valid, err)
	valid, err = verifyWindow(proofs, randomness, []*sector{good[0], good[1], emptied})
	rejected(t, "a bad sector among the proved ones", valid, err)
}

// A sector whose cache folder is gone is an error that names it: its proof cannot even be tried.
func TestWindowPoStOfLostCacheIsAnError(t *testing.T) {
	lost := preCommit(t, t.TempDir(), sealType, 62, randomBytes(t, int(sectorBytes.Unpadded())))
	require.NoError(t, os.RemoveAll(lost.cache))
	_, _, err := ffi.GenerateWindowPoSt(minerID, privateInfos([]*sector{lost}, windowType), randomFr(t))
	require.ErrorContains(t, err, lost.cache)
}
