package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// fakePrograms is the folder with the built testdata/fake, which replaces all programs except PostgreSQL and Redis.
var fakePrograms string

// TestMain builds the fake program once. If LAUNCHER_DATA or LAUNCHER_PORTS is set, the test binary acts as a launcher
// instead, which a test can kill.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("LAUNCHER_DATA") != "":
		launch()
		return
	case os.Getenv("LAUNCHER_PORTS") != "":
		takePorts()
		return
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "baari-fake")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	fakePrograms = dir
	path := filepath.Join(dir, Product)
	if output, err := GoCommand(
		context.Background(), "", "build", "-o", path, "./testdata/fake",
	).CombinedOutput(); err != nil {
		panic(string(output))
	}
	return m.Run()
}

// launch runs a launcher until it is killed; it prints a line when it is ready.
func launch() {
	port, _ := strconv.Atoi(os.Getenv("LAUNCHER_PORT"))
	_, err := Start(context.Background(), Options{
		Data: os.Getenv("LAUNCHER_DATA"), Port: port, Gateway: Embedded, Separate: true,
		Progress: NewProgress(io.Discard), built: &builds{bin: os.Getenv("LAUNCHER_PROGRAMS")},
	})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ready")
	select {}
}

// takePorts runs only the first part of a launcher: it allocates the ports of a whole system, starts the services on
// some of them, prints a line when all are ready, waits for the end of its input, and prints whether all services still
// run.
func takePorts() {
	folder, err := os.MkdirTemp("", "baari-ports-")
	if err == nil {
		defer func() { _ = os.RemoveAll(folder) }()
		err = startOnPorts(folder)
	}
	if err != nil {
		fmt.Println(err)
	}
}

func startOnPorts(data string) error {
	s, err := open(Options{Data: data, Progress: NewProgress(os.Stderr)}, func(*Stack) error { return nil })
	if err != nil {
		return err
	}
	defer s.Stop()
	ports, err := FreePorts(3*len(Services) + 4)
	if err != nil {
		return err
	}
	var specs []Spec
	for i, service := range Services {
		mine := programPorts{public: ports[3*i], internal: ports[3*i+1], admin: ports[3*i+2]}
		env := personal()
		env.listen(mine)
		specs = append(specs, targetSpec(service, builds{bin: os.Getenv("LAUNCHER_PORTS")}, mine, env))
	}
	if err := s.runAll(context.Background(), programs, specs); err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	for _, child := range s.children[programs] {
		if child.hasEnded() { // Another program had taken its port.
			return errors.New(child.Name() + " has exited")
		}
	}
	fmt.Println("undisturbed")
	return nil
}
