package suite

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// listening is the state LISTEN in the kernel's table of sockets.
const listening = "0A"

// holderOf is the program of the process that listens on a loopback port. It reads the kernel's own tables, so nobody can only claim to be it.
func holderOf(port int) (program string, err error) {
	socket, err := socketOf(port)
	if err != nil {
		return "", err
	}
	descriptors, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return "", err
	}
	for _, descriptor := range descriptors {
		if link, err := os.Readlink(descriptor); err != nil || link != socket {
			continue
		}
		path, err := os.Readlink(filepath.Join(filepath.Dir(filepath.Dir(descriptor)), "exe"))
		return filepath.Base(path), err
	}
	return "", fmt.Errorf("no process of ours holds port %d", port)
}

// socketOf names the listening socket of a port as the descriptors of a process name it.
func socketOf(port int) (string, error) {
	table, err := os.Open("/proc/net/tcp")
	if err != nil {
		return "", err
	}
	defer func() { _ = table.Close() }()
	lines := bufio.NewScanner(table)
	for lines.Scan() {
		fields := strings.Fields(lines.Text()) // sl, local address, remote address, state, ..., inode
		if len(fields) < 10 || fields[3] != listening {
			continue
		}
		_, hex, _ := strings.Cut(fields[1], ":")
		if local, err := strconv.ParseUint(hex, 16, 16); err == nil && int(local) == port {
			return "socket:[" + fields[9] + "]", nil
		}
	}
	return "", fmt.Errorf("nobody listens on port %d", port)
}
