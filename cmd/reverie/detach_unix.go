//go:build !windows

package main

import "syscall"

// detached gives the daemon a session of its own, so that it outlives the terminal.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
