package suite

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// listening is the state LISTEN in /proc/net/tcp.
const listening = "0A"

// holderOf returns the name of the program that listens on a loopback port. It reads the kernel's socket tables.
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
	return "", fmt.Errorf("no process of this user listens on port %d", port)
}

// socketOf returns the listening socket of a port in the form of the links in /proc/PID/fd.
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
	return "", fmt.Errorf("no process listens on port %d", port)
}
