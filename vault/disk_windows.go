package vault

import "syscall"

// nonBlocking is nothing: Windows has no pipes in folders.
const nonBlocking = 0

// systemCodes are what this system says besides codes.
var systemCodes = map[syscall.Errno]error{
	39: ErrDiskFull, 112: ErrDiskFull, // ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL
	5: ErrReadOnly, 19: ErrReadOnly, // ERROR_ACCESS_DENIED, ERROR_WRITE_PROTECT
	21: ErrDisk, 23: ErrDisk, 29: ErrDisk, 30: ErrDisk, 1117: ErrDisk, // ERROR_NOT_READY, _CRC, _WRITE_FAULT, _READ_FAULT, _IO_DEVICE
	4: ErrTooMany, // ERROR_TOO_MANY_OPEN_FILES
}

// syncDir does nothing: Windows has no fsync for folders.
func (d rootDisk) syncDir(string) error { return nil }
