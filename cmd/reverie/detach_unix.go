//go:build !windows

package main

import "syscall"

// detached gives the daemon a session of its own, so that it outlives the terminal.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// interrupt asks a process to end cleanly.
func interrupt(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }
