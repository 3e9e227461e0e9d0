package cgotest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	ffi "github.com/filecoin-project/filecoin-ffi"
	"github.com/filecoin-project/go-state-types/proof"
	"github.com/stretchr/testify/require"
)

// emptyFile makes a file of a sector's size for the library to fill.
func emptyFile(t *testing.T, path string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(path, make([]byte, sectorBytes), 0o644))
	return path
}

func requireSameFile(t *testing.T, want, got string) {
	t.Helper()
	wanted, err := os.ReadFile(want)
	require.NoError(t, err)
	gotten, err := os.ReadFile(got)
	require.NoError(t, err)
	require.True(t, bytes.Equal(wanted, gotten), "%s differs from %s", got, want)
}

// SnapDeals: data move into a sealed empty sector, are proved there, read back and taken out again.
func TestSectorUpdate(t *testing.T) {
	dir := t.TempDir()
	key := preCommit(t, dir, sealType, 70, make([]byte, sectorBytes.Unpadded()))
	staged := filepath.Join(dir, "new-data")
	pieces := stage(t, staged, randomBytes(t, int(sectorBytes.Unpadded())))
	replica := emptyFile(t, filepath.Join(dir, "update"))
	replicaCache := filepath.Join(dir, "update-cache")
	require.NoError(t, os.Mkdir(replicaCache, 0o755))

	sealedCID, unsealedCID, err := ffi.SectorUpdate.EncodeInto(
		updateType, replica, replicaCache, key.sealed, key.cache, staged, pieces)
	require.NoError(t, err)
	expected, err := ffi.GenerateUnsealedCID(sealType, pieces)
	require.NoError(t, err)
	require.Equal(t, expected, unsealedCID)
	require.NotEqual(t, key.sealedCID, sealedCID)

	vanilla, err := ffi.SectorUpdate.GenerateUpdateVanillaProofs(
		updateType, key.sealedCID, sealedCID, unsealedCID, replica, replicaCache, key.sealed, key.cache)
	require.NoError(t, err)
	valid, err := ffi.SectorUpdate.VerifyVanillaProofs(updateType, key.sealedCID, sealedCID, unsealedCID, vanilla)
	accepted(t, valid, err)
	valid, err = ffi.SectorUpdate.VerifyVanillaProofs(updateType, key.sealedCID, key.sealedCID, unsealedCID, vanilla)
	rejected(t, "vanilla proofs of another replica", valid, err)

	whole, err := ffi.SectorUpdate.GenerateUpdateProof(
		updateType, key.sealedCID, sealedCID, unsealedCID, replica, replicaCache, key.sealed, key.cache)
	require.NoError(t, err)
	fromVanilla, err := ffi.SectorUpdate.GenerateUpdateProofWithVanilla(
		updateType, key.sealedCID, sealedCID, unsealedCID, vanilla)
	require.NoError(t, err)
	for _, updateProof := range [][]byte{whole, fromVanilla} {
		info := proof.ReplicaUpdateInfo{
			UpdateProofType:      updateType,
			OldSealedSectorCID:   key.sealedCID,
			NewSealedSectorCID:   sealedCID,
			NewUnsealedSectorCID: unsealedCID,
			Proof:                updateProof,
		}
		valid, err = ffi.SectorUpdate.VerifyUpdateProof(info)
		accepted(t, valid, err)
		info.Proof = tampered(updateProof)
		valid, err = ffi.SectorUpdate.VerifyUpdateProof(info)
		rejected(t, "a changed bit", valid, err)
		info.Proof, info.NewUnsealedSectorCID = updateProof, key.unsealedCID
		valid, err = ffi.SectorUpdate.VerifyUpdateProof(info)
		rejected(t, "other data", valid, err)
	}

	decoded := emptyFile(t, filepath.Join(dir, "decoded"))
	require.NoError(t, ffi.SectorUpdate.DecodeFrom(updateType, decoded, replica, key.sealed, key.cache, unsealedCID))
	requireSameFile(t, staged, decoded)

	// The auxiliary files that this call wants are those of the sector before its update.
	emptied := emptyFile(t, filepath.Join(dir, "emptied"))
	emptiedCache := filepath.Join(dir, "emptied-cache")
	require.NoError(t, os.Mkdir(emptiedCache, 0o755))
	require.NoError(t, ffi.SectorUpdate.RemoveData(
		updateType, emptied, emptiedCache, replica, key.cache, staged, unsealedCID))
	requireSameFile(t, key.sealed, emptied)
}
