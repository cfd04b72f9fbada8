// Command install puts the built program, and the LanceDB library where it was built with it, under a prefix.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "install:", err)
		os.Exit(1)
	}
}

func run() error {
	prefix := os.Getenv("PREFIX")
	if prefix == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		prefix = filepath.Join(home, ".local")
	}
	name := "reverie"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := copyFile(filepath.Join("bin", name), filepath.Join(prefix, "bin", name), 0o755); err != nil {
		return err
	}
	libs, err := filepath.Glob(filepath.Join(".lancedb", runtime.GOOS+"_"+runtime.GOARCH, "*lancedb_go.*"))
	if err != nil {
		return err
	}
	for _, lib := range libs {
		if err := copyFile(lib, filepath.Join(prefix, "lib", filepath.Base(lib)), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("installed %s\n", filepath.Join(prefix, "bin", name))
	return nil
}

// copyFile replaces to in one step, so that a running program keeps the file that it has open.
func copyFile(from, to string, mode fs.FileMode) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Rename(to+".new", to)
}
