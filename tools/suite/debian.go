package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"baari.dev/tools/stack"
)

// debianPackage is a program that tests need and that can be installed on Debian.
type debianPackage struct {
	name     string   // package name
	what     string   // description for messages
	programs []string // one of these programs is enough
	unpack   bool     // unpacked into the cache, even without root; otherwise installed, as root
}

var (
	// Redis is only unpacked: an installed package starts a server at boot, and `up` would use that server.
	redisServer = debianPackage{"redis-server", "Redis", []string{"redis-server", "valkey-server"}, true}
	pgBouncer   = debianPackage{"pgbouncer", "PgBouncer", []string{"pgbouncer"}, true}
	// The headless shell has no window system and no GPU process, so it costs less CPU time than the browser.
	chromium = debianPackage{
		"chromium-headless-shell", "Chromium",
		[]string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}, false,
	}
)

// find returns the path of the program, or "" if it is missing.
func (p debianPackage) find() string {
	for _, program := range p.programs {
		if path, err := exec.LookPath(program); err == nil {
			return path
		}
	}
	return ""
}

// installing waits for the lock on installations, because parts that run in parallel may need the same package. It
// returns the function that releases the lock.
func installing(ctx context.Context) (func(), error) {
	cache, err := stack.CacheFolder()
	if err != nil {
		return nil, err
	}
	return stack.LockFile(ctx, filepath.Join(cache, "installing.lock"))
}

// ensure installs or unpacks the Debian package of a missing program. It returns Advice if that is not possible.
func (r *Runner) ensure(ctx context.Context, need debianPackage) error {
	if need.find() != "" {
		return nil
	}
	done, err := installing(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := useUnpacked(need); err != nil || need.find() != "" { // meanwhile
		return err
	}
	missing := stack.Advice(fmt.Sprintf(
		"The tests need %s: install it (on Debian: apt-get install %s), then run this again.", need.what, need.name,
	))
	switch {
	case need.unpack:
		if _, err = stack.UnpackDebian(ctx, need.name, r.Progress); err == nil {
			err = useUnpacked(need)
		}
	case canInstall():
		err = r.Progress.Step("getting "+need.name, func() error { return r.install(ctx, need.name) })
	}
	if err != nil || need.find() == "" {
		return errors.Join(missing, err)
	}
	return nil
}

// canInstall reports whether the process is root on a Debian system.
func canInstall() bool {
	_, err := exec.LookPath("apt-get")
	return err == nil && os.Geteuid() == 0
}

// install installs packages with apt-get. If that fails, it updates the package lists and retries once.
func (r *Runner) install(ctx context.Context, packages ...string) error {
	apt := func(args ...string) error {
		return r.Run(r.Command(ctx, "", "apt-get", args...), "DEBIAN_FRONTEND=noninteractive")
	}
	args := append([]string{"install", "-y", "-q", "--no-install-recommends"}, packages...)
	if apt(args...) == nil {
		return nil
	}
	if err := apt("update", "-q"); err != nil {
		return err
	}
	return apt(args...)
}

// headers is a C program with the headers which the race detector's C code needs. To compile it, libc6-dev is required.
const headers = "#include <stdint.h>\n#include <stdlib.h>\n#include <pthread.h>\nint main(void) { return 0; }\n"

var gccOfAVersion = regexp.MustCompile(`\bgcc-\d+\b`)

// compiler finds a C compiler with the C library's headers, for the race detector. As root on Debian it installs
// both. It installs the compiler by its versioned package (gcc-12), which does not provide gcc: with gcc on PATH,
// Go would build the product and the launcher with cgo.
func (r *Runner) compiler(ctx context.Context) (string, error) {
	if found := r.findCompiler(ctx); found != "" {
		return found, nil
	}
	done, err := installing(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	if found := r.findCompiler(ctx); found != "" { // meanwhile
		return found, nil
	}
	missing := stack.Advice("The race detector needs a C compiler and the headers of the C library: install them " +
		"(on Debian: apt-get install gcc libc6-dev), then run this again.")
	if !canInstall() {
		return "", missing
	}
	err = r.Progress.Step("installing a C compiler", func() error {
		if err := r.install(ctx, "libc6-dev"); err != nil { // first, so that there is never a compiler without headers
			return err
		}
		depends, err := stack.Output(r.Command(ctx, "", "apt-cache", "depends", "--important", "gcc"))
		if err != nil {
			return err
		}
		versioned := gccOfAVersion.FindString(depends)
		if versioned == "" {
			return errors.New("the package gcc depends on no versioned compiler")
		}
		return r.install(ctx, versioned)
	})
	if found := r.findCompiler(ctx); err == nil && found != "" {
		return found, nil
	}
	return "", errors.Join(missing, err)
}

// findCompiler returns the first of $CC, gcc, clang and each gcc-<version> on PATH that compiles headers, or "".
func (r *Runner) findCompiler(ctx context.Context) string {
	candidates := []string{os.Getenv("CC"), "gcc", "clang"}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		versioned, _ := filepath.Glob(filepath.Join(folder, "gcc-[0-9]*"))
		slices.Sort(versioned)
		slices.Reverse(versioned)
		candidates = append(candidates, versioned...)
	}
	for _, candidate := range candidates {
		if candidate == "" {
			continue
		}
		//nolint:gosec // CC is set by the user and names a compiler
		cmd := exec.CommandContext(ctx, candidate, "-x", "c", "-o", os.DevNull, "-pthread", "-")
		cmd.Stdin = strings.NewReader(headers)
		if stack.Run(cmd) == nil {
			return candidate
		}
	}
	return ""
}

// race returns the environment for builds with the race detector, the only builds that need cgo.
func (r *Runner) race(ctx context.Context) ([]string, error) {
	compiler, err := r.compiler(ctx)
	return []string{"CGO_ENABLED=1", "CC=" + compiler}, err
}

// useUnpacked appends the folder of an unpacked package to this process's PATH, unless PATH has one of its programs.
func useUnpacked(p debianPackage) error {
	folder, err := stack.UnpackedDebian(p.name)
	if err != nil || p.find() != "" {
		return err
	}
	return os.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Join(folder, "bin"))
}
