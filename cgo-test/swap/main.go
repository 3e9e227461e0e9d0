// Swap is one program for two builds of libfilcrypto. It names the library that it runs on, proves with it a Winning
// PoSt of a fresh 2 KiB sector, and verifies the proofs that other runs left.
//
//	swap prove FILE    seals, proves, and leaves proof and public inputs in FILE
//	swap verify FILE   accepts the proof of FILE and rejects it when changed
package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	ffi "github.com/filecoin-project/filecoin-ffi"
	"github.com/filecoin-project/go-state-types/abi"
	"github.com/filecoin-project/go-state-types/proof"
)

const (
	miner       = abi.ActorID(1000)
	sealType    = abi.RegisteredSealProof_StackedDrg2KiBV1_1
	winningType = abi.RegisteredPoStProof_StackedDrgWinning2KiBV1
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "swap:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: swap prove|verify FILE")
	}
	library, err := mappedLibrary()
	if err != nil {
		return err
	}
	fmt.Println("library:", library)
	switch args[0] {
	case "prove":
		return prove(args[1])
	case "verify":
		return verify(args[1])
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// mappedLibrary is the file of libfilcrypto.so in this process.
func mappedLibrary() (string, error) {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return "", err
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if path := fields[len(fields)-1]; filepath.Base(path) == "libfilcrypto.so" {
			return path, nil
		}
	}
	return "", fmt.Errorf("no libfilcrypto.so is mapped into this process")
}

func prove(file string) error {
	dir, err := os.MkdirTemp("", "swap-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sector, err := seal(dir)
	if err != nil {
		return err
	}
	randomness := make([]byte, 32)
	if _, err := rand.Read(randomness[:31]); err != nil {
		return err
	}
	proofs, err := ffi.GenerateWinningPoSt(miner, ffi.NewSortedPrivateSectorInfo(sector), randomness)
	if err != nil {
		return err
	}
	out, err := json.Marshal(proof.WinningPoStVerifyInfo{
		Randomness:        randomness,
		Proofs:            proofs,
		ChallengedSectors: []proof.SectorInfo{sector.SectorInfo},
		Prover:            miner,
	})
	if err != nil {
		return err
	}
	fmt.Println("proved:", proofs[0].PoStProof, len(proofs[0].ProofBytes), "bytes")
	return os.WriteFile(file, out, 0o644)
}

// seal runs PC1 and PC2 over random data.
func seal(dir string) (sector ffi.PrivateSectorInfo, err error) {
	const number, size = 7, abi.PaddedPieceSize(2048)
	data := make([]byte, size.Unpadded())
	if _, err = rand.Read(data); err != nil {
		return
	}
	raw, staged, sealed := filepath.Join(dir, "raw"), filepath.Join(dir, "staged"), filepath.Join(dir, "sealed")
	cache := filepath.Join(dir, "cache")
	if err = os.Mkdir(cache, 0o755); err != nil {
		return
	}
	if err = os.WriteFile(raw, data, 0o644); err != nil {
		return
	}
	if err = os.WriteFile(sealed, nil, 0o644); err != nil {
		return
	}
	source, err := os.Open(raw)
	if err != nil {
		return
	}
	defer source.Close()
	target, err := os.Create(staged)
	if err != nil {
		return
	}
	defer target.Close()
	_, piece, err := ffi.WriteWithoutAlignment(sealType, source, size.Unpadded(), target)
	if err != nil {
		return
	}
	pieces := []abi.PieceInfo{{Size: size, PieceCID: piece}}
	ticket := bytes.Repeat([]byte{5}, 32)
	pc1, err := ffi.SealPreCommitPhase1(sealType, cache, staged, sealed, number, miner, ticket, pieces)
	if err != nil {
		return
	}
	sealedCID, _, err := ffi.SealPreCommitPhase2(pc1, cache, sealed)
	if err != nil {
		return
	}
	return ffi.PrivateSectorInfo{
		SectorInfo:       proof.SectorInfo{SealProof: sealType, SectorNumber: number, SealedCID: sealedCID},
		CacheDirPath:     cache,
		PoStProofType:    winningType,
		SealedSectorPath: sealed,
	}, nil
}

func verify(file string) error {
	in, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var info proof.WinningPoStVerifyInfo
	if err := json.Unmarshal(in, &info); err != nil {
		return err
	}
	valid, err := ffi.VerifyWinningPoSt(info)
	if err != nil || !valid {
		return fmt.Errorf("the proof of %s was rejected (error: %v)", file, err)
	}
	fmt.Println("accepted: the proof of", filepath.Base(file))
	info.Randomness[0] ^= 1
	if valid, err := ffi.VerifyWinningPoSt(info); err != nil || valid {
		return fmt.Errorf("the proof of %s was accepted for other randomness (error: %v)", file, err)
	}
	fmt.Println("rejected: the same proof for other randomness")
	return nil
}
