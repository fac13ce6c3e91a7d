//go:build !linux

package stack

import "syscall"

// dieWithLauncher does nothing on this system: the user has to end the processes of a killed launcher.
func dieWithLauncher(*syscall.SysProcAttr, syscall.Signal) {}

// EndWithGoRun does nothing on this system.
func EndWithGoRun() error { return nil }
