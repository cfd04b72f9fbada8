//go:build !windows

package vault

import (
	"errors"
	"syscall"
)

// nonBlocking makes the opening of a pipe that nobody writes to return at once.
const nonBlocking = syscall.O_NONBLOCK

// systemCodes are what this system says besides codes.
var systemCodes map[syscall.Errno]error

// syncDir makes the names in a folder durable.
func (d rootDisk) syncDir(name string) error {
	f, err := d.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // network file systems that cannot do it
	}
	return errors.Join(err, f.Close())
}
