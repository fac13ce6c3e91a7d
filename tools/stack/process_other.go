//go:build !linux

package stack

import "syscall"

// Only Linux can tie a child to its parent; elsewhere a killed launcher leaves its processes to the person.
func dieWithLauncher(*syscall.SysProcAttr, syscall.Signal) {}

// EndWithGoRun does nothing on this system.
func EndWithGoRun() error { return nil }
