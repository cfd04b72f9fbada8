package vault

import "syscall"

// diskFullCode recognises ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL.
func diskFullCode(no syscall.Errno) bool { return no == 39 || no == 112 }

// syncDir does nothing: Windows has no fsync for folders.
func (d rootDisk) syncDir(string) error { return nil }
