//go:build !linux

package stack

import "syscall"

// Only Linux can tie a child to its parent; elsewhere the user has to end the processes of a killed launcher.
func dieWithLauncher(*syscall.SysProcAttr, syscall.Signal) {}

// EndWithGoRun does nothing on this system.
func EndWithGoRun() error { return nil }
