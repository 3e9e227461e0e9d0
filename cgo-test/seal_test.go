package cgotest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	ffi "github.com/filecoin-project/filecoin-ffi"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/stretchr/testify/require"
)

// requireSealProof checks that a seal's proof is accepted for its own sector and for nothing else.
func requireSealProof(t *testing.T, s *sector, other *sector, sealProof []byte) {
	t.Helper()
	valid, err := ffi.VerifySeal(s.sealInfo(sealProof))
	accepted(t, valid, err)

	valid, err = ffi.VerifySeal(s.sealInfo(tampered(sealProof)))
	rejected(t, "a changed bit", valid, err)
	info := s.sealInfo(sealProof)
	info.Number++
	valid, err = ffi.VerifySeal(info)
	rejected(t, "another sector number", valid, err)
	info = s.sealInfo(sealProof)
	info.SealedCID = other.sealedCID
	valid, err = ffi.VerifySeal(info)
	rejected(t, "another replica", valid, err)
	info = s.sealInfo(sealProof)
	info.Randomness = other.ticket
	valid, err = ffi.VerifySeal(info)
	rejected(t, "another ticket", valid, err)
}

func requireUnsealed(t *testing.T, s *sector) {
	t.Helper()
	sealed, err := os.OpenFile(s.sealed, os.O_RDWR, 0)
	require.NoError(t, err)
	defer sealed.Close()
	path := filepath.Join(t.TempDir(), "unsealed")
	out, err := os.Create(path)
	require.NoError(t, err)
	defer out.Close()
	// A directory of its own: unsealing writes over the sector's tree D.
	require.NoError(t, ffi.Unseal(s.sealType, t.TempDir(), sealed, out, s.number, minerID, s.ticket, s.unsealedCID))
	unsealed, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(s.data, unsealed), "the unsealed data differ from the stored ones")
}

func TestSealSector(t *testing.T) {
	sectors := sharedSectors(t)
	requireSealProof(t, sectors[0], sectors[1], sectors[0].commit(t))
	requireSealProof(t, sectors[1], sectors[0], sectors[1].commit(t))

	info := sectors[0].sealInfo(sectors[0].commit(t))
	info.InteractiveRandomness = sectors[1].seed
	valid, err := ffi.VerifySeal(info)
	rejected(t, "another seed", valid, err)
	requireUnsealed(t, sectors[0])
}

// C2 needs nothing but C1's output, so it can run on another machine; a damaged one must not become a proof.
func TestCommitOfDamagedPhase1IsAnError(t *testing.T) {
	s := sharedSectors(t)[0]
	c1 := s.commitPhase1(t)
	_, err := ffi.SealCommitPhase2(c1[:len(c1)/2], s.number, minerID)
	require.Error(t, err)
	t.Log(err)
}

// The layers that GenerateSDR writes are those of PC1.
func TestSDRMatchesPreCommit(t *testing.T) {
	s := sharedSectors(t)[0]
	var c1 struct {
		ReplicaID [32]byte `json:"replica_id"`
	}
	require.NoError(t, json.Unmarshal(s.commitPhase1(t), &c1))
	cache := t.TempDir()
	require.NoError(t, ffi.GenerateSDR(s.sealType, cache, c1.ReplicaID))
	layers, err := filepath.Glob(filepath.Join(cache, "*layer*"))
	require.NoError(t, err)
	require.NotEmpty(t, layers)
	for _, layer := range layers {
		got, err := os.ReadFile(layer)
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join(s.cache, filepath.Base(layer)))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "%s differs", filepath.Base(layer))
	}
}

// Synthetic PoRep: all proofs that a seed could ask for are made before the layers are deleted.
func TestSyntheticSeal(t *testing.T) {
	s := preCommit(t, t.TempDir(), syntheticType, 40, randomBytes(t, int(sectorBytes.Unpadded())))
	require.NoError(t, ffi.GenerateSynthProofs(
		s.sealType, s.sealedCID, s.unsealedCID, s.cache, s.sealed, s.number, minerID, s.ticket, s.pieces))
	synthetic := filepath.Join(s.cache, "syn-porep-vanilla-proofs.dat")
	require.FileExists(t, synthetic)

	require.NoError(t, ffi.ClearCache(s.cache))
	layers, err := filepath.Glob(filepath.Join(s.cache, "*layer*"))
	require.NoError(t, err)
	require.Empty(t, layers)
	require.FileExists(t, synthetic)

	requireSealProof(t, s, sharedSectors(t)[0], s.commit(t))
	requireUnsealed(t, s)

	require.NoError(t, ffi.ClearSyntheticProofs(s.cache))
	require.NoFileExists(t, synthetic)
	_, err = ffi.SealCommitPhase1(
		s.sealType, s.sealedCID, s.unsealedCID, s.cache, s.sealed, s.number, minerID, s.ticket, s.seed, s.pieces)
	require.Error(t, err, "C1 without layers and without synthetic proofs")
}

// NI-PoRep: the 13 partitions of a 2 KiB sector are one aggregate, and no seed is waited for.
func TestNonInteractiveSeal(t *testing.T) {
	s := preCommit(t, t.TempDir(), niType, 50, randomBytes(t, int(sectorBytes.Unpadded())))
	sealProof := s.commit(t)
	requireSealProof(t, s, sharedSectors(t)[0], sealProof)

	info := s.sealInfo(sealProof)
	info.InteractiveRandomness = sharedSectors(t)[0].seed
	valid, err := ffi.VerifySeal(info)
	accepted(t, valid, err)
	requireUnsealed(t, s)

	// Verified as an aggregate of one sector, too.
	aggregate := aggregateOf(abi.RegisteredAggregationProof_SnarkPackV2, s)
	aggregate.Proof = sealProof
	valid, err = ffi.VerifyAggregateSeals(aggregate)
	accepted(t, valid, err)
}
