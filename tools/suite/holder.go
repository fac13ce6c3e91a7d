package suite

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/prometheus/procfs"
)

// listening is the state LISTEN in the kernel's socket tables.
const listening = 0x0A

// holderOf returns the name of the program that listens on a loopback port.
func holderOf(port int) (string, error) {
	system, err := procfs.NewDefaultFS()
	if err != nil {
		return "", err
	}
	sockets, err := system.NetTCP()
	if err != nil {
		return "", err
	}
	processes, err := system.AllProcs()
	if err != nil {
		return "", err
	}
	for _, socket := range sockets {
		if socket.St != listening || socket.LocalPort != uint64(port) {
			continue
		}
		for _, process := range processes {
			files, err := process.FileDescriptorTargets()
			if err == nil && slices.Contains(files, fmt.Sprintf("socket:[%d]", socket.Inode)) {
				path, err := process.Executable()
				return filepath.Base(path), err
			}
		}
	}
	return "", fmt.Errorf("no process of this user listens on port %d", port)
}
