package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// holderOf returns the name of the program that listens on a loopback port, according to the kernel's table of sockets.
func holderOf(port int) (string, error) {
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return "", err
	}
	// A line has the local and the remote address, the state (0A: LISTEN), five other columns, and the inode.
	listening := regexp.MustCompile(fmt.Sprintf(`:%04X \S+ 0A(?: +\S+){5} +(\d+)`, port)).FindSubmatch(table)
	if listening == nil {
		return "", fmt.Errorf("no process listens on port %d", port)
	}
	files, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return "", err
	}
	for _, file := range files {
		// Files of other users' processes, and files that were closed in between, cannot be read.
		if opened, err := os.Readlink(file); err == nil && opened == fmt.Sprintf("socket:[%s]", listening[1]) {
			path, err := os.Readlink(filepath.Join(file, "..", "..", "exe"))
			return filepath.Base(path), err
		}
	}
	return "", fmt.Errorf("no process of this user listens on port %d", port)
}
