package cgotest

import (
	"archive/tar"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	block "github.com/ipfs/go-block-format"
	"github.com/ipfs/go-cid"
	cbor "github.com/ipfs/go-ipld-cbor"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// The built-in actors come with the Lotus module. Only its files are read: importing its packages would bring in its
// whole dependency tree.
const (
	lotusModule = "github.com/filecoin-project/lotus@v1.36.0"
	lotusSum    = "h1:Rw8SSZ7obavxC0sBm9EpAvXv+ggqNcDNNMmdV0my2Bs="
)

// lotusDir is where the Lotus module lies unpacked. The module proxy is asked only when Go's module cache lacks it.
func lotusDir(t *testing.T) string {
	t.Helper()
	download := exec.Command("go", "mod", "download", "-json", lotusModule)
	// Outside any module, so that this module's own requirements do not matter.
	download.Dir = t.TempDir()
	download.Env = append(os.Environ(), "GOWORK=off")
	out, err := download.Output()
	require.NoError(t, err, "go mod download %s: %s", lotusModule, out)
	var module struct{ Dir, Sum, Error string }
	require.NoError(t, json.Unmarshal(out, &module))
	require.Empty(t, module.Error)
	require.Equal(t, lotusSum, module.Sum, "%s is not the one these tests were written for", lotusModule)
	return module.Dir
}

// actorsBundle is the bundle of built-in actors of one version and network ("mainnet", "devnet", "testing", ...): the
// root that the bundle names (its manifest) and all of its blocks.
func actorsBundle(t *testing.T, actorsVersion int, network string) (cid.Cid, []block.Block) {
	t.Helper()
	packed, err := os.Open(filepath.Join(lotusDir(t), "build", "actors", fmt.Sprintf("v%d.tar.zst", actorsVersion)))
	require.NoError(t, err)
	defer packed.Close()
	unpacked, err := zstd.NewReader(packed)
	require.NoError(t, err)
	defer unpacked.Close()

	wanted := fmt.Sprintf("builtin-actors-%s.car", network)
	for files := tar.NewReader(unpacked); ; {
		header, err := files.Next()
		require.NoError(t, err, "%s has no %s", packed.Name(), wanted)
		if header.Name == wanted {
			car, err := io.ReadAll(files)
			require.NoError(t, err)
			return readCar(t, car)
		}
	}
}

type carHeader struct {
	Roots   []cid.Cid
	Version uint64
}

func init() { cbor.RegisterCborType(carHeader{}) }

// readCar takes a CARv1 file apart: a CBOR header, then CIDs with their blocks, each run after its length. Every block
// is held against its CID.
func readCar(t *testing.T, car []byte) (cid.Cid, []block.Block) {
	t.Helper()
	next := func() []byte {
		length, n := binary.Uvarint(car)
		require.Positive(t, n, "CAR section without a length")
		require.LessOrEqual(t, length, uint64(len(car)-n), "CAR file is cut off")
		section := car[n : uint64(n)+length]
		car = car[uint64(n)+length:]
		return section
	}

	var header carHeader
	require.NoError(t, cbor.DecodeInto(next(), &header))
	require.Equal(t, uint64(1), header.Version)
	require.Len(t, header.Roots, 1)

	var blocks []block.Block
	for len(car) > 0 {
		section := next()
		n, id, err := cid.CidFromBytes(section)
		require.NoError(t, err)
		actual, err := id.Prefix().Sum(section[n:])
		require.NoError(t, err)
		require.Equal(t, id, actual, "a block of the bundle does not hash to its CID")
		stored, err := block.NewBlockWithCid(section[n:], id)
		require.NoError(t, err)
		blocks = append(blocks, stored)
	}
	return header.Roots[0], blocks
}

func TestActorBundlesAreReadable(t *testing.T) {
	for _, version := range []int{8, 10, 18} {
		root, blocks := actorsBundle(t, version, "mainnet")
		require.NotEmpty(t, blocks)
		var manifest cid.Cid
		for _, stored := range blocks {
			if stored.Cid() == root {
				manifest = stored.Cid()
			}
		}
		require.Equal(t, root, manifest, "actors v%d: the root is among the blocks", version)
		t.Logf("actors v%d: %d blocks, root %s", version, len(blocks), root)
	}
}
