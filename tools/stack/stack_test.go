package stack

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
	"baari.dev/tools/sample/client"
)

// output collects the lines that the launcher prints.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// setup returns options for a system of fake programs, the folder of files that control them, and the output.
func setup(t *testing.T) (Options, string, *output) {
	t.Helper()
	gate := t.TempDir()
	t.Setenv("FAKE_GATE", gate)
	t.Setenv("DATABASE_URL", "")
	t.Setenv("REDIS_URL", "")
	ports, err := FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	printed := &output{}
	return Options{
		Data: initialised(t), Port: ports[0], Gateway: Embedded, Separate: true,
		Progress: NewProgress(printed), built: &builds{bin: fakePrograms},
	}, gate, printed
}

// template returns a data folder with an initialized database. It is created once, because that takes longer than most
// tests. The database is durable, because only then is it in the data folder.
var template = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(fakePrograms, "template")
	servers, err := StartDependencies(context.Background(), dir, true, NewProgress(&output{}))
	if err == nil {
		servers.Stop()
	}
	return dir, err
})

// initialised returns a new data folder with a database that was shut down cleanly.
func initialised(t *testing.T) string {
	t.Helper()
	from, err := template()
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	if text, err := exec.Command("cp", "-a", from+"/.", data).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return data
}

func mustStart(t *testing.T, options Options) *Stack {
	t.Helper()
	system, err := Start(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(system.Stop)
	return system
}

func control(t *testing.T, gate, program, order string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(gate, program), []byte(order), 0o600); err != nil {
		t.Fatal(err)
	}
}

func listed(t *testing.T, options Options) map[string]Process {
	t.Helper()
	var all []Process
	if err := readJSON(filepath.Join(options.Data, "run", "processes.json"), &all); err != nil {
		t.Fatal(err)
	}
	byName := map[string]Process{}
	for _, process := range all {
		byName[process.Name] = process
	}
	return byName
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func isAdvice(err error) bool {
	var advice Advice
	return errors.As(err, &advice)
}

func TestAccountsFileAppearsOnlyWhenEveryProgramIsReady(t *testing.T) {
	options, gate, _ := setup(t)
	control(t, gate, "realtime", "wait")
	stale := filepath.Join(options.Data, "accounts.json")
	if err := os.WriteFile(stale, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	started := make(chan error, 1)
	var system *Stack
	go func() {
		var err error
		system, err = Start(context.Background(), options)
		started <- err
	}()
	testkit.Eventually(t, "the services run", func() bool {
		text, _ := os.ReadFile(filepath.Join(options.Data, "run", "processes.json"))
		return strings.Contains(string(text), `"web"`)
	})
	if _, err := os.Stat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Error("accounts.json is there before the system is ready")
	}
	control(t, gate, "realtime", "")
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	defer system.Stop()
	var accounts []client.Account
	if err := readJSON(stale, &accounts); err != nil {
		t.Fatal(err)
	}
	roles := map[string]bool{}
	for _, account := range accounts {
		roles[account.Role] = true
		if account.Email == "" || account.Name == "" || len(account.Password) < 10 {
			t.Errorf("an account is incomplete: role %s", account.Role)
		}
	}
	if len(roles) != 4 {
		t.Errorf("accounts of %d roles, want 4", len(roles))
	}
}

func TestStopStopsTheGatewayFirstAndTheDatabaseLast(t *testing.T) {
	options, gate, _ := setup(t)
	system, err := Start(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	processes := system.Processes()
	begin := time.Now()
	system.Stop()
	testkit.AtMost(t, "stopping", time.Since(begin), 10*time.Second)
	for _, process := range processes {
		if alive(process.PID) {
			t.Errorf("%s still runs", process.Name)
		}
	}
	text, _ := os.ReadFile(filepath.Join(gate, "stops"))
	stops := strings.Fields(string(text))
	if len(stops) != len(Services)+2 || stops[0] != "gateway" {
		t.Errorf("programs stopped in the order %v, want the gateway first", stops)
	}
	log, _ := os.ReadFile(filepath.Join(options.Data, "logs", "postgres.log"))
	if !strings.Contains(string(log), "database system is shut down") {
		t.Error("PostgreSQL did not shut down cleanly")
	}
	if _, err := os.Stat(filepath.Join(options.Data, "accounts.json")); !errors.Is(err, os.ErrNotExist) {
		t.Error("accounts.json is still there after the stop")
	}
}

func TestStopKillsAProgramThatIgnoresTheSignal(t *testing.T) {
	options, gate, _ := setup(t)
	control(t, gate, "visits", "stubborn")
	system, err := Start(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	pid := listed(t, options)["visits"].PID
	begin := time.Now()
	system.Stop()
	testkit.AtMost(t, "stopping", time.Since(begin), 10*time.Second)
	if alive(pid) {
		t.Error("it still runs")
	}
}

func TestAKilledProgramIsStartedAgainOnItsPorts(t *testing.T) {
	for _, name := range []string{"visits", "redis", "postgres"} {
		t.Run(name, func(t *testing.T) {
			options, _, printed := setup(t)
			mustStart(t, options)
			before := listed(t, options)[name]
			if err := syscall.Kill(before.PID, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			testkit.Eventually(t, "another process in processes.json", func() bool {
				return listed(t, options)[name].PID != before.PID
			})
			after := listed(t, options)[name]
			after.PID = before.PID
			if after != before {
				t.Errorf("started again as %+v, was %+v", after, before)
			}
			testkit.Eventually(t, "it listens again", func() bool {
				connection, err := net.Dial("tcp", address(before.Port))
				if err != nil {
					return false
				}
				return connection.Close() == nil
			})
			if !strings.Contains(printed.String(), name+" exited unexpectedly") {
				t.Errorf("no message that %s was restarted", name)
			}
		})
	}
}

func TestErrorOfAProgramThatCannotStartHasItsLastLogLines(t *testing.T) {
	options, gate, _ := setup(t)
	control(t, gate, "audit", "end")
	_, err := Start(context.Background(), options)
	if err == nil || !strings.Contains(err.Error(), "audit is not ready: it ended while starting") ||
		!strings.Contains(err.Error(), "SECRET: not set") {
		t.Errorf("the start returned %v", err)
	}
	folder, err := OpenFolder(options.Data)
	if err != nil {
		t.Fatalf("the data folder is still locked: %v", err)
	}
	_ = folder.Close()
}

func TestABusyPortGivesAdvice(t *testing.T) {
	options, _, _ := setup(t)
	listener, err := net.Listen("tcp", address(options.Port))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	_, err = Start(context.Background(), options)
	if !isAdvice(err) || !strings.Contains(err.Error(), fmt.Sprint(options.Port)) {
		t.Errorf("the start returned %v", err)
	}
}

func TestASecondLauncherOnADataFolderIsRejected(t *testing.T) {
	options, _, _ := setup(t)
	folder, err := OpenFolder(options.Data)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	_, err = Start(context.Background(), options)
	if !isAdvice(err) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("the second launcher returned %v", err)
	}
}

func TestAFullDiskGivesAdvice(t *testing.T) {
	err := explain(fmt.Errorf("initdb: %w", &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}), "data")
	if !isAdvice(err) || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("a full disk gives %v", err)
	}
	err = explain(errors.New("FATAL: could not write to file: No space left on device"), "data")
	if !isAdvice(err) {
		t.Errorf("a full disk that PostgreSQL reports gives %v", err)
	}
}

// launchAside starts a launcher in a process of its own and waits until its system is ready.
func launchAside(t *testing.T, options Options) *exec.Cmd {
	t.Helper()
	release(t, options.Port)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(
		os.Environ(), "LAUNCHER_DATA="+options.Data, fmt.Sprintf("LAUNCHER_PORT=%d", options.Port),
		"LAUNCHER_PROGRAMS="+fakePrograms,
	)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the launcher prints %q", line)
	}
	return cmd
}

func TestAKilledLauncherLeavesNoProcessAndStartsAgain(t *testing.T) {
	options, _, _ := setup(t)
	launcher := launchAside(t, options)
	processes := listed(t, options)
	if len(processes) < len(Services)+3 {
		t.Fatalf("only %d processes are running", len(processes))
	}
	var secrets Secrets
	if err := readJSON(filepath.Join(options.Data, "secrets.json"), &secrets); err != nil {
		t.Fatal(err)
	}
	if err := launcher.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = launcher.Wait()
	for name, process := range processes {
		testkit.Eventually(t, name+" is gone", func() bool { return !alive(process.PID) })
	}
	system := mustStart(t, options)
	known := func(a client.Account) bool { return a.Password == secrets.Accounts[a.Email] }
	if !slices.ContainsFunc(system.Accounts(), known) {
		t.Error("the passwords of the demo accounts have changed")
	}
}

func TestAStalePostmasterPIDDoesNotPreventTheNextStart(t *testing.T) {
	options, _, _ := setup(t)
	system, err := Start(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	system.Stop()
	// After a reboot, another program may have the process id in the file. Here, this test is that program.
	mark := filepath.Join(options.Data, "postgres", "postmaster.pid")
	if err := os.WriteFile(mark, fmt.Appendf(nil, "%d\n/somewhere\n", os.Getpid()), 0o600); err != nil {
		t.Fatal(err)
	}
	mustStart(t, options)
}

func TestSecretsAreReadableByTheOwnerOnly(t *testing.T) {
	options, _, _ := setup(t)
	mustStart(t, options)
	for _, file := range []string{"secrets.json", "accounts.json"} {
		info, err := os.Stat(filepath.Join(options.Data, file))
		if err != nil {
			t.Fatal(err)
		}
		// ASVS 13.3.1, 13.3.2
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", file, info.Mode().Perm())
		}
	}
	text, _ := os.ReadFile(filepath.Join(options.Data, "accounts.json"))
	if !json.Valid(text) {
		t.Error("accounts.json is not valid JSON")
	}
}
