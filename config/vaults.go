package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/reverie-memory/reverie/durable"
)

// Vaults is what is remembered of a person's vaults. The list decides what is not said by settings, environment and flags.
type Vaults struct {
	Default string       `json:"default,omitempty"` // the vault that is meant where none is named
	Known   []KnownVault `json:"vaults"`
}

// KnownVault is a vault and where it keeps its data.
type KnownVault struct {
	Path    string `json:"path"`
	DataDir string `json:"data_dir"`
}

// vaultsFile stands beside the settings file: it survives the loss of every data folder.
func vaultsFile() string {
	file, _ := Dirs()
	return filepath.Join(filepath.Dir(file), "vaults.json")
}

// LoadVaults reads what is remembered; nothing, where nothing was.
func LoadVaults() (v Vaults, err error) {
	data, err := os.ReadFile(vaultsFile())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return v, nil
	case err == nil:
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		return v, fmt.Errorf("read the list of vaults %s: %w; without the file, --vault names the vault", vaultsFile(), err)
	}
	return v, nil
}

// UpdateVaults changes what is remembered; programs that do so at the same time wait for each other.
func UpdateVaults(change func(*Vaults)) error {
	file := vaultsFile()
	if err := durable.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("write the list of vaults: %w", err)
	}
	lock := flock.New(file + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("write the list of vaults: %w", err)
	}
	defer lock.Close()
	v, err := LoadVaults()
	if err != nil {
		return err
	}
	change(&v)
	data, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		err = durable.WriteFile(file, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the list of vaults: %w", err)
	}
	return nil
}

// Find gives the place of a vault in Known by whatever path leads to it, -1 when it is not known.
func (v *Vaults) Find(path string) int {
	return slices.IndexFunc(v.Known, func(k KnownVault) bool { return SameFolder(k.Path, path) })
}

// Add remembers a vault, which keeps its data folder where it is known already. Of others it drops those of which nothing is left.
func (v *Vaults) Add(k KnownVault) {
	v.Known = slices.DeleteFunc(v.Known, func(old KnownVault) bool { return !folder(old.Path) && !folder(old.DataDir) })
	if v.Find(k.Path) < 0 {
		v.Known = append(v.Known, k)
	}
	if !folder(v.Default) {
		v.Default = k.Path
	}
}

// DataDir gives the data folder of a vault. The one at base, which all vaults shared in earlier versions, belongs to the vault that the
// settings name (usual), or where that is none, to the first one that asks; every other has one of its own below it.
func (v *Vaults) DataDir(path, usual, base string) string {
	if i := v.Find(path); i >= 0 {
		return v.Known[i].DataDir
	}
	taken := slices.ContainsFunc(v.Known, func(k KnownVault) bool { return SameFolder(k.DataDir, base) })
	if !taken && (SameFolder(path, usual) || !folder(usual)) {
		return base
	}
	real := RealPath(path)
	sum := sha256.Sum256([]byte(real))
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"/\|?*`, r) || r < ' ' {
			return '-'
		}
		return r
	}, filepath.Base(real))
	return filepath.Join(base, "vaults.d", name+"-"+hex.EncodeToString(sum[:6])) // no workspace can be called so
}

// SameFolder tells whether two paths lead to one folder, through links and whatever case the file system takes for the same.
func SameFolder(a, b string) bool {
	if a == b {
		return true
	}
	fa, errA := os.Stat(a)
	fb, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(fa, fb)
}

// RealPath is a path without links, so that it means the same in whatever folder it is read.
func RealPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func folder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}
