//go:build !windows

package durable

import (
	"errors"
	"os"
	"syscall"
)

// syncFolder makes the names in a folder durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // network file systems that cannot do it
	}
	return errors.Join(err, f.Close())
}
