package main

import (
	"os"
	"syscall"
)

const (
	createNewProcessGroup = 0x00000200
	createNoWindow        = 0x08000000
)

// detached gives the daemon a process group of its own and no console window.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: createNewProcessGroup | createNoWindow}
}

// interrupt ends a process. Windows has no signal for a process without a console; the vault is
// made to survive it, and the next start finishes what was cut off.
func interrupt(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
