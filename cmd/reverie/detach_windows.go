package main

import "syscall"

const (
	createNewProcessGroup = 0x00000200
	createNoWindow        = 0x08000000
)

// detached gives the daemon a process group of its own and no console window.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: createNewProcessGroup | createNoWindow}
}
