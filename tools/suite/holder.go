package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/prometheus/procfs"
)

// holderOf returns the name of the program that listens on a loopback port, by the kernel's table of sockets.
func holderOf(port int) (string, error) {
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return "", err
	}
	// Local address and port, remote address, the state LISTEN, five other columns, and the number of the socket.
	listening := regexp.MustCompile(fmt.Sprintf(`:%04X \S+ 0A(?: +\S+){5} +(\d+)`, port)).FindSubmatch(table)
	if listening == nil {
		return "", fmt.Errorf("no process listens on port %d", port)
	}
	processes, err := procfs.AllProcs()
	if err != nil {
		return "", err
	}
	for _, process := range processes {
		files, err := process.FileDescriptorTargets()
		if err == nil && slices.Contains(files, fmt.Sprintf("socket:[%s]", listening[1])) {
			path, err := process.Executable()
			return filepath.Base(path), err
		}
	}
	return "", fmt.Errorf("no process of this user listens on port %d", port)
}
