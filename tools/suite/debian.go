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
	"sync"

	"baari.dev/tools/stack"
)

// debianPackage is a program that tests need and that can be installed on Debian.
type debianPackage struct {
	name     string                                       // package name
	what     string                                       // description for messages
	programs []string                                     // any one of them suffices
	get      func(context.Context, *Runner, string) error // takes the path of apt-get; nil installs the package by name
}

var (
	redisServer = debianPackage{"redis-server", "Redis", []string{"redis-server", "valkey-server"}, unpackRedis}
	// The headless shell has neither a window system nor a GPU process, and costs less CPU time than the browser.
	chromium = debianPackage{
		"chromium-headless-shell", "Chromium",
		[]string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}, nil,
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

// installing serializes installations: parts that run in parallel may need the same package.
var installing sync.Mutex

// ensure installs a missing program if the process is root on a Debian system. Otherwise it returns Advice.
func (r *Runner) ensure(ctx context.Context, need debianPackage) error {
	installing.Lock()
	defer installing.Unlock()
	if need.find() != "" {
		return nil
	}
	missing := stack.Advice(fmt.Sprintf(
		"The tests need %s: install it (on Debian: apt-get install %s), then run this again.", need.what, need.name,
	))
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return missing
	}
	get := need.get
	if get == nil {
		get = func(ctx context.Context, r *Runner, apt string) error { return r.install(ctx, apt, need.name) }
	}
	err = r.progress.Step("getting "+need.name, func() error { return get(ctx, r, apt) })
	if err != nil || need.find() == "" {
		return errors.Join(missing, err)
	}
	return nil
}

// install installs packages with apt-get. The package lists may be missing or stale, so it updates them and retries
// once.
func (r *Runner) install(ctx context.Context, apt string, args ...string) error {
	args = append([]string{"install", "-y", "-q", "--no-install-recommends"}, args...)
	if err := r.apt(ctx, apt, args...); err == nil {
		return nil
	}
	if err := r.apt(ctx, apt, "update", "-q"); err != nil {
		return err
	}
	return r.apt(ctx, apt, args...)
}

func (r *Runner) apt(ctx context.Context, apt string, args ...string) error {
	return r.run(r.command(ctx, "", apt, args...), "DEBIAN_FRONTEND=noninteractive")
}

// headers is a C program that includes the headers that the race detector's C code needs. It detects a compiler
// without libc6-dev.
const headers = "#include <stdint.h>\n#include <stdlib.h>\n#include <pthread.h>\nint main(void) { return 0; }\n"

var gccOfAVersion = regexp.MustCompile(`\bgcc-\d+\b`)

// compiler finds a C compiler with the C library's headers, for the race detector. As root on Debian it installs
// both. It installs the compiler by its versioned package (gcc-12), which does not provide gcc: with gcc on PATH,
// Go would build the product and the launcher with cgo.
func (r *Runner) compiler(ctx context.Context) (string, error) {
	installing.Lock()
	defer installing.Unlock()
	if found := r.findCompiler(ctx); found != "" {
		return found, nil
	}
	missing := stack.Advice("The race detector needs a C compiler and the headers of the C library: install them " +
		"(on Debian: apt-get install gcc libc6-dev), then run this again.")
	apt, err := exec.LookPath("apt-get")
	if err != nil || os.Geteuid() != 0 {
		return "", missing
	}
	err = r.progress.Step("installing a C compiler", func() error {
		if err := r.install(ctx, apt, "libc6-dev"); err != nil { // first, so that there is never a compiler without headers
			return err
		}
		depends, err := r.command(ctx, "", "apt-cache", "depends", "--important", "gcc").Output()
		if err != nil {
			return fmt.Errorf("apt-cache depends gcc: %w", err)
		}
		versioned := gccOfAVersion.FindString(string(depends))
		if versioned == "" {
			return errors.New("the package gcc depends on no versioned compiler")
		}
		return r.install(ctx, apt, versioned)
	})
	if found := r.findCompiler(ctx); err == nil && found != "" {
		return found, nil
	}
	return "", errors.Join(missing, err)
}

// findCompiler returns the first of $CC, gcc, clang and the newest gcc-<version> that compiles a program, or "".
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

// race returns the environment for tests with the race detector, the only builds that use cgo.
func (r *Runner) race(ctx context.Context) ([]string, error) {
	compiler, err := r.compiler(ctx)
	return []string{"CGO_ENABLED=1", "CC=" + compiler}, err
}

// redisFolder returns the folder into which Redis is unpacked.
func redisFolder() (string, error) {
	cache, err := stack.CacheFolder()
	return filepath.Join(cache, "redis-debian"), err
}

// unpackRedis downloads Debian's Redis with its missing libraries and unpacks them into the cache. It does not
// install the package: that would start a Redis at boot, and `up` would use it.
func unpackRedis(ctx context.Context, r *Runner, apt string) error {
	folder, err := redisFolder()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(folder), "unpack-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }() // already moved on success
	archives := filepath.Join(scratch, "archives")
	err = os.MkdirAll(filepath.Join(archives, "partial"), 0o755) //nolint:gosec // apt's unprivileged account reads it
	if err != nil {
		return err
	}
	if err := r.install(ctx, apt, "--download-only", "-o", "Dir::Cache::archives="+archives, "redis-server"); err != nil {
		return err
	}
	unpacked := filepath.Join(scratch, "unpacked")
	if _, err := stack.UnpackDebian(ctx, archives, unpacked); err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.Rename(unpacked, folder); err != nil {
		return err
	}
	if err := writeRedisScript(folder); err != nil {
		return err
	}
	return useUnpackedRedis()
}

// writeRedisScript writes the redis-server script for PATH. It starts Redis with the unpacked libraries.
func writeRedisScript(folder string) error {
	libraries, err := filepath.Glob(filepath.Join(folder, "usr", "lib", "*-linux-gnu*"))
	if err != nil {
		return err
	}
	script := fmt.Sprintf("#!/bin/sh\nLD_LIBRARY_PATH='%s' exec '%s' \"$@\"\n",
		strings.Join(libraries, ":"), filepath.Join(folder, "usr", "bin", "redis-server"))
	bin := filepath.Join(folder, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(bin, "redis-server"), []byte(script), 0o700) //nolint:gosec // an executable
}

// useUnpackedRedis appends the folder of the unpacked Redis, if there is one, to the PATH of this process.
func useUnpackedRedis() error {
	folder, err := redisFolder()
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("redis-server"); err == nil { // installed on the machine
		return nil
	}
	if _, err := os.Stat(filepath.Join(folder, "bin", "redis-server")); err != nil {
		return nil //nolint:nilerr // not unpacked
	}
	return os.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Join(folder, "bin"))
}
