package stack

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// The tests run the real PostgreSQL and Redis; the programs of the product are played by testdata/fake.
var fakePrograms string

// TestMain builds the fake program once. Called again as a launcher, it is one: a test needs a launcher that it can kill.
func TestMain(m *testing.M) {
	if os.Getenv("LAUNCHER_DATA") != "" {
		launch()
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
	for i, name := range append([]string{"gateway", "web"}, Services...) {
		path := filepath.Join(dir, name)
		if i == 0 {
			if output, err := exec.Command("go", "build", "-o", path, "./testdata/fake").CombinedOutput(); err != nil {
				panic(string(output))
			}
			continue
		}
		if err := os.Link(filepath.Join(dir, "gateway"), path); err != nil {
			panic(err)
		}
	}
	return m.Run()
}

// launch is a launcher in a process of its own: it says when it is ready, and runs until it is killed.
func launch() {
	port, _ := strconv.Atoi(os.Getenv("LAUNCHER_PORT"))
	_, err := Start(context.Background(), Options{
		Data: os.Getenv("LAUNCHER_DATA"), Port: port, Gateway: Embedded,
		Progress: NewProgress(io.Discard), built: &builds{bin: os.Getenv("LAUNCHER_PROGRAMS")},
	})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ready")
	select {}
}
