package suite

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"baari.dev/tools/stack"
)

const lintModule = "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0"

// GoProgram returns the path of a program from PATH or the cache; otherwise it builds the pinned version into the
// cache. pack is the package with its version. The file name contains the version, so a new version is a new file.
func (r *Runner) GoProgram(ctx context.Context, name, pack string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	cache, err := stack.CacheFolder()
	if err != nil {
		return "", err
	}
	path := cachedProgram(cache, name, pack)
	return path, stack.MakeOnce(ctx, path, func(unfinished string) error {
		folder := filepath.Dir(unfinished)
		return r.Progress.Step("building "+name+", once; this takes minutes", func() error {
			install := stack.LowPriority(r.Command(ctx, "", "go", "install", pack))
			if err := r.Run(install, "GOBIN="+folder, "GOWORK=off", "GOFLAGS="); err != nil {
				return err
			}
			return os.Rename(filepath.Join(folder, name), unfinished)
		})
	})
}

// cachedProgram returns the path of a program of one version in the cache.
func cachedProgram(cache, name, pack string) string {
	_, version, _ := strings.Cut(pack, "@")
	return filepath.Join(cache, name+"-"+version)
}

// FindChromium returns the path of the browser for tests and measurements: BAARI_CHROMIUM, else an installed
// Chromium, which it installs as root on Debian. It returns Advice if there is none.
func FindChromium(ctx context.Context, root string, out io.Writer) (string, error) {
	if browser := os.Getenv("BAARI_CHROMIUM"); browser != "" {
		return browser, nil
	}
	err := newRunner(ctx, root, out, "").ensure(ctx, chromium)
	return chromium.find(), err
}

// EnsureRedis puts a Redis server on this process's PATH, on Debian an unpacked one. It returns Advice if there is
// none: `up` would start its own replacement for Redis, which lacks commands that faults and measurements need.
func EnsureRedis(ctx context.Context, root string, out io.Writer) error {
	if err := useUnpacked(redisServer); err != nil {
		return err
	}
	return newRunner(ctx, root, out, "").ensure(ctx, redisServer)
}

// k6Module is the load generator.
const k6Module = "go.k6.io/k6@v1.8.1"

// FindK6 returns the path of k6 from PATH or the cache; otherwise it builds the pinned version into the cache.
func FindK6(ctx context.Context, root string, out io.Writer) (string, error) {
	return newRunner(ctx, root, out, "").GoProgram(ctx, "k6", k6Module)
}
