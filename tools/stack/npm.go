package stack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// embedded holds folders of npm packages: PostgreSQL, Lighthouse, and a Node.js for machines whose own is too old.
// Their lock files pin the hash of each package.
//
//go:embed embedded
var embedded embed.FS

const errNoNpm = Advice("npm is missing: install Node.js 22 or newer together with npm, then run this again.")

// CacheFolder returns the folder for downloads and built tools, which all data folders of a user share.
func CacheFolder() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil { // a service account without HOME
		base = filepath.Join(os.TempDir(), fmt.Sprintf("cache-%d", os.Getuid()))
	}
	dir := filepath.Join(base, "baari")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", explain(err, dir)
	}
	return dir, nil
}

// fetchPackages installs the embedded folder of packages with this name into the cache, unless it is there already, and
// returns its node_modules. It returns Advice if npm is missing.
func fetchPackages(ctx context.Context, name string) (string, error) {
	folder, err := fs.Sub(embedded, path.Join("embedded", name))
	if err != nil {
		return "", err
	}
	dir, err := FetchPackages(ctx, name, folder)
	return filepath.Join(dir, "node_modules"), err
}

// FetchPackages copies a folder with a package.json and a lock file into the cache and installs the locked packages,
// unless that was done before. It returns the path of the copy, or Advice if npm is missing.
func FetchPackages(ctx context.Context, name string, folder fs.FS) (string, error) {
	digest := sha256.New()
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		text, err := fs.ReadFile(folder, entry.Name())
		if err != nil {
			return "", err
		}
		digest.Write(text)
	}
	cache, err := CacheFolder()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, name+"-"+hex.EncodeToString(digest.Sum(nil))[:12])
	return dir, explain(MakeOnce(ctx, dir, func(unfinished string) error {
		npm, err := exec.LookPath("npm")
		if err != nil {
			return errNoNpm
		}
		if err := os.CopyFS(unfinished, folder); err != nil {
			return err
		}
		return runNpm(ctx, npm, unfinished, os.Environ(), "ci", "--ignore-scripts")
	}), cache)
}

func runNpm(ctx context.Context, npm, dir string, env []string, args ...string) error {
	args = append(args, "--no-audit", "--no-fund", "--loglevel=error")
	cmd := exec.CommandContext(ctx, npm, args...)
	cmd.Dir, cmd.Env = dir, env
	return runQuietly(cmd)
}

// runQuietly runs a command and does not show its output. If it fails, the error contains the end of the output.
func runQuietly(cmd *exec.Cmd) error {
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	return outputError(cmd, Run(cmd), &output)
}

// Output runs a command and returns its standard output. If it fails, the error contains the end of its error output.
func Output(cmd *exec.Cmd) (string, error) {
	var output, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &complaints
	err := Run(cmd)
	return output.String(), outputError(cmd, err, &complaints)
}

func outputError(cmd *exec.Cmd, err error, output *bytes.Buffer) error {
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, lastLines(output.String(), 20))
	}
	return err
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// MakeOnce calls create unless path exists. Other launchers wait meanwhile. create writes a file or folder to another
// path, which MakeOnce then renames to path, so an interrupted run leaves nothing incomplete there.
func MakeOnce(ctx context.Context, path string, create func(unfinished string) error) error {
	unlock, err := LockFile(ctx, path+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	scratch, err := os.MkdirTemp(filepath.Dir(path), "unfinished-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	unfinished := filepath.Join(scratch, filepath.Base(path))
	if err := create(unfinished); err != nil {
		return err
	}
	return os.Rename(unfinished, path)
}

// LockFile waits for a lock that all launchers on the machine share, and returns the function that releases it.
func LockFile(ctx context.Context, file string) (func(), error) {
	lock := flock.New(file)
	taken, err := lock.TryLockContext(ctx, firstPause)
	if err != nil {
		return nil, err
	}
	if !taken {
		return nil, errors.New("lock not taken: " + file)
	}
	return func() { _ = lock.Unlock() }, nil
}
