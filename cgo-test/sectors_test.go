// Package cgotest drives libfilcrypto through the real filecoin-ffi package, where that package's own tests do not go.
package cgotest

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	ffi "github.com/filecoin-project/filecoin-ffi"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/filecoin-project/go-state-types/proof"
	"github.com/ipfs/go-cid"
	"github.com/stretchr/testify/require"
)

const (
	minerID     = abi.ActorID(1000)
	sectorBytes = abi.PaddedPieceSize(2048)

	sealType      = abi.RegisteredSealProof_StackedDrg2KiBV1_1
	syntheticType = abi.RegisteredSealProof_StackedDrg2KiBV1_1_Feat_SyntheticPoRep
	niType        = abi.RegisteredSealProof_StackedDrg2KiBV1_2_Feat_NiPoRep
	winningType   = abi.RegisteredPoStProof_StackedDrgWinning2KiBV1
	windowType    = abi.RegisteredPoStProof_StackedDrgWindow2KiBV1_1
	updateType    = abi.RegisteredUpdateProof_StackedDrg2KiBV1
)

// sector is a 2 KiB sector after PC2: its data, its files and its commitments.
type sector struct {
	sealType abi.RegisteredSealProof
	number   abi.SectorNumber
	ticket   abi.SealRandomness
	seed     abi.InteractiveSealRandomness

	// data is what the client stored: 2,032 bytes, before padding.
	data   []byte
	pieces []abi.PieceInfo

	staged, sealed, cache  string
	sealedCID, unsealedCID cid.Cid

	// circuitProofs: this sector is proved by the call for circuit proofs. Of one partition they are the seal's proof.
	circuitProofs bool
	proveOnce     sync.Once
	proof         []byte
}

func randomBytes(t *testing.T, n int) []byte {
	t.Helper()
	bytes := make([]byte, n)
	_, err := rand.Read(bytes)
	require.NoError(t, err)
	return bytes
}

// randomFr is 32 random bytes that are a field element: PoSt randomness must be one.
func randomFr(t *testing.T) []byte {
	t.Helper()
	bytes := randomBytes(t, 32)
	bytes[31] &= 0x3f
	return bytes
}

// stage writes data as one padded piece into a new file.
func stage(t *testing.T, path string, data []byte) []abi.PieceInfo {
	t.Helper()
	size := abi.UnpaddedPieceSize(len(data))
	raw := path + ".raw"
	require.NoError(t, os.WriteFile(raw, data, 0o644))
	source, err := os.Open(raw)
	require.NoError(t, err)
	defer source.Close()
	staged, err := os.Create(path)
	require.NoError(t, err)
	defer staged.Close()
	written, pieceCID, err := ffi.WriteWithoutAlignment(sealType, source, size, staged)
	require.NoError(t, err)
	require.Equal(t, size, written)
	return []abi.PieceInfo{{Size: size.Padded(), PieceCID: pieceCID}}
}

// preCommit runs PC1 and PC2 over data in a folder of its own.
func preCommit(t *testing.T, dir string, sealType abi.RegisteredSealProof, number abi.SectorNumber, data []byte) *sector {
	t.Helper()
	dir = filepath.Join(dir, fmt.Sprintf("s-%d-%d", sealType, number))
	s := &sector{
		sealType: sealType,
		number:   number,
		ticket:   randomBytes(t, 32),
		seed:     randomBytes(t, 32),
		data:     data,
		staged:   filepath.Join(dir, "staged"),
		sealed:   filepath.Join(dir, "sealed"),
		cache:    filepath.Join(dir, "cache"),
	}
	require.NoError(t, os.MkdirAll(s.cache, 0o755))
	require.NoError(t, os.WriteFile(s.sealed, nil, 0o644))
	s.pieces = stage(t, s.staged, data)

	pc1, err := ffi.SealPreCommitPhase1(s.sealType, s.cache, s.staged, s.sealed, s.number, minerID, s.ticket, s.pieces)
	require.NoError(t, err)
	s.sealedCID, s.unsealedCID, err = ffi.SealPreCommitPhase2(pc1, s.cache, s.sealed)
	require.NoError(t, err)
	unsealedCID, err := ffi.GenerateUnsealedCID(s.sealType, s.pieces)
	require.NoError(t, err)
	require.Equal(t, unsealedCID, s.unsealedCID)
	return s
}

// commitPhase1 is C1's output: the vanilla proofs.
func (s *sector) commitPhase1(t *testing.T) []byte {
	t.Helper()
	c1, err := ffi.SealCommitPhase1(
		s.sealType, s.sealedCID, s.unsealedCID, s.cache, s.sealed, s.number, minerID, s.ticket, s.seed, s.pieces)
	require.NoError(t, err)
	return c1
}

// commit is the proof of the seal (C1 and C2), made once a sector.
func (s *sector) commit(t *testing.T) []byte {
	t.Helper()
	s.proveOnce.Do(func() {
		var err error
		if s.circuitProofs {
			s.proof, err = ffi.SealCommitPhase2CircuitProofs(s.commitPhase1(t), s.number)
		} else {
			s.proof, err = ffi.SealCommitPhase2(s.commitPhase1(t), s.number, minerID)
		}
		require.NoError(t, err)
	})
	require.NotEmpty(t, s.proof, "sector %d could not be proved earlier", s.number)
	return s.proof
}

func (s *sector) sealInfo(sealProof []byte) proof.SealVerifyInfo {
	return proof.SealVerifyInfo{
		SealProof:             s.sealType,
		SectorID:              abi.SectorID{Miner: minerID, Number: s.number},
		Randomness:            s.ticket,
		InteractiveRandomness: s.seed,
		Proof:                 sealProof,
		SealedCID:             s.sealedCID,
		UnsealedCID:           s.unsealedCID,
	}
}

func (s *sector) info() proof.SectorInfo {
	return proof.SectorInfo{SealProof: s.sealType, SectorNumber: s.number, SealedCID: s.sealedCID}
}

func (s *sector) private(post abi.RegisteredPoStProof) ffi.PrivateSectorInfo {
	return ffi.PrivateSectorInfo{
		SectorInfo:       s.info(),
		CacheDirPath:     s.cache,
		PoStProofType:    post,
		SealedSectorPath: s.sealed,
	}
}

// accepted and rejected check a verification's answer. A proof that does not even decode is rejected by an error.
func accepted(t *testing.T, valid bool, err error) {
	t.Helper()
	require.NoError(t, err)
	require.True(t, valid, "a right proof was rejected")
}

func rejected(t *testing.T, what string, valid bool, err error) {
	t.Helper()
	require.False(t, valid, "accepted: %s", what)
	t.Logf("rejected: %s (error: %v)", what, err)
}

// tampered is a copy with one bit changed.
func tampered(bytes []byte) []byte {
	changed := append([]byte(nil), bytes...)
	changed[len(changed)/2] ^= 1
	return changed
}

// shared are sectors that several tests read: random data, sealed once.
var shared struct {
	dir     string
	once    sync.Once
	sectors []*sector
}

// sharedSectors are three sealed sectors, of which tests prove at most the first two: a proof takes most of a minute.
// Their files must not be changed.
func sharedSectors(t *testing.T) []*sector {
	t.Helper()
	shared.once.Do(func() {
		for number := abi.SectorNumber(1); number <= 3; number++ {
			data := randomBytes(t, int(sectorBytes.Unpadded()))
			shared.sectors = append(shared.sectors, preCommit(t, shared.dir, sealType, number, data))
		}
		shared.sectors[1].circuitProofs = true
	})
	require.Len(t, shared.sectors, 3, "the shared sectors could not be sealed earlier")
	return shared.sectors
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "filcrypto-sectors-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared.dir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
