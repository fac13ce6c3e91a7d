package suite

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"baari.dev/tools/stack"
)

const lintModule = "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0"

// goProgram takes a program of PATH or of the cache, else builds the pinned one into the cache, once. pack is its package with its version, which
// the cached file carries in its name: another version is another file.
func (r *Runner) goProgram(ctx context.Context, name, pack string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	cache, err := stack.CacheFolder()
	if err != nil {
		return "", err
	}
	path := cachedProgram(cache, name, pack)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	scratch, err := os.MkdirTemp(cache, name+"-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	err = r.progress.Step("building "+name+", once; this takes minutes", func() error {
		return r.run(r.command(ctx, "", "go", "install", pack), "GOBIN="+scratch, "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=")
	})
	if err != nil {
		return "", err
	}
	return path, os.Rename(filepath.Join(scratch, name), path)
}

// cachedProgram is where a program of a version is kept.
func cachedProgram(cache, name, pack string) string {
	_, version, _ := strings.Cut(pack, "@")
	return filepath.Join(cache, name+"-"+version)
}

// debianPackage is a program that tests need and that a Debian machine can install by itself.
type debianPackage struct {
	name     string   // of the package
	what     string   // for a person
	programs []string // any of them will do
}

var (
	compiler    = debianPackage{"gcc", "a C compiler, for Go's race detector", []string{"gcc", "clang"}}
	redisServer = debianPackage{"redis-server", "Redis", []string{"redis-server", "valkey-server"}}
	chromium    = debianPackage{"chromium", "Chromium", []string{"chromium", "chromium-browser", "google-chrome"}}
)

// FindChromium returns the browser for tests and measurements: the one of BAARI_CHROMIUM, else the machine's, which it
// installs where that is allowed. It returns Advice when there is none.
func FindChromium(ctx context.Context, root string, out io.Writer) (string, error) {
	if browser := os.Getenv("BAARI_CHROMIUM"); browser != "" {
		return browser, nil
	}
	err := newRunner(ctx, root, out, "").ensure(ctx, chromium)
	return chromium.find(), err
}

// k6Module is the load generator.
const k6Module = "go.k6.io/k6@v1.8.1"

// FindK6 returns k6, with which the queue is put under load: of PATH or of the cache, else built from its pinned module.
func FindK6(ctx context.Context, root string, out io.Writer) (string, error) {
	return newRunner(ctx, root, out, "").goProgram(ctx, "k6", k6Module)
}

// find is the path of the program, "" when it is missing.
func (p debianPackage) find() string {
	for _, program := range p.programs {
		if path, err := exec.LookPath(program); err == nil {
			return path
		}
	}
	return ""
}

// installing is held while a package is looked for and installed: parts that run beside each other need the same ones.
var installing sync.Mutex

// ensure installs a missing program where that is allowed: as root on Debian and its kin. Elsewhere it returns Advice.
func (r *Runner) ensure(ctx context.Context, need debianPackage) error {
	installing.Lock()
	defer installing.Unlock()
	if need.find() != "" {
		return nil
	}
	missing := stack.Advice(fmt.Sprintf("The tests need %s: install it (on Debian: apt-get install %s), then run this again.", need.what, need.name))
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return missing
	}
	err = r.progress.Step("installing "+need.name, func() error {
		if err := r.apt(ctx, apt, "install", "-y", "-q", "--no-install-recommends", need.name); err == nil {
			return nil
		}
		if err := r.apt(ctx, apt, "update", "-q"); err != nil { // the list of packages may be missing or old
			return err
		}
		return r.apt(ctx, apt, "install", "-y", "-q", "--no-install-recommends", need.name)
	})
	if err != nil || need.find() == "" {
		return missing
	}
	return nil
}

func (r *Runner) apt(ctx context.Context, apt string, args ...string) error {
	return r.run(r.command(ctx, "", apt, args...), "DEBIAN_FRONTEND=noninteractive")
}
