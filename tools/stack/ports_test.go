package stack

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// release removes the reservation of a port by this process, so that a launcher in another process can take the port.
func release(t *testing.T, port int) {
	t.Helper()
	reserved.Lock()
	defer reserved.Unlock()
	if err := reserved.ports[port].Close(); err != nil {
		t.Fatal(err)
	}
	delete(reserved.ports, port)
}

// launcherPairs is half the number of launchers that start at the same time.
const launcherPairs = 20

// Each launcher takes the ports of a whole system and starts the services on them. All run until the last is ready.
func TestConcurrentLaunchersTakeDifferentPorts(t *testing.T) {
	var group sync.WaitGroup
	said := make([]string, 2*launcherPairs)
	allSaid := make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Add(len(said))
	for i := range said {
		group.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), "LAUNCHER_PORTS="+fakePrograms)
			input, err := cmd.StdinPipe()
			if err != nil {
				t.Error(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Error(err)
			}
			if err := cmd.Start(); err != nil {
				t.Error(err)
			}
			lines := bufio.NewReader(out)
			said[i], _ = lines.ReadString('\n')
			waiting.Done()
			<-allSaid
			_ = input.Close()
			if last, _ := lines.ReadString('\n'); said[i] == "ready\n" {
				said[i] = last
			}
			_ = cmd.Wait()
		})
	}
	waiting.Wait()
	close(allSaid)
	group.Wait()
	for i, line := range said {
		if line != "undisturbed\n" {
			t.Errorf("launcher %d: %s", i, strings.TrimSpace(line))
		}
	}
}

func TestAPortReservedByAnotherLauncherIsRejected(t *testing.T) {
	ports, err := FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	release(t, ports[0])
	other, err := net.ListenPacket("udp", address(ports[0])) // stands for the reservation of another launcher
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if err := checkPort(ports[0]); !isAdvice(err) ||
		!strings.Contains(err.Error(), fmt.Sprintf("Port %d is in use by another launcher", ports[0])) {
		t.Errorf("got %v", err)
	}
}
