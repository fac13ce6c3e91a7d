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

// GoProgram returns the path of a program on PATH or in the cache, or else builds the pinned version into the cache.
// pack is the package with its version, which is part of the cached file's name: a new version is a new file.
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

func cachedProgram(cache, name, pack string) string {
	_, version, _ := strings.Cut(pack, "@")
	return filepath.Join(cache, name+"-"+version)
}

// FindChromium returns the path of the browser for tests and measurements: the value of BAARI_CHROMIUM, otherwise an
// installed Chromium. As root on Debian it installs one if there is none. It returns Advice if it finds no browser.
func FindChromium(ctx context.Context, root string, out io.Writer) (string, error) {
	if browser := os.Getenv("BAARI_CHROMIUM"); browser != "" {
		return browser, nil
	}
	err := newRunner(ctx, root, out, "").ensure(ctx, chromium)
	return chromium.find(), err
}

// EnsureRedis makes a Redis server available on this process's PATH; on Debian it unpacks one. It returns Advice if
// there is none: `baari up` can do without Redis, but faults and measurements cannot.
func EnsureRedis(ctx context.Context, root string, out io.Writer) error {
	if err := useUnpacked(redisServer); err != nil {
		return err
	}
	return newRunner(ctx, root, out, "").ensure(ctx, redisServer)
}

// k6Module is the package of k6, the load generator, with its version.
const k6Module = "go.k6.io/k6@v1.8.1"

// FindK6 returns the path of k6 on PATH or in the cache. If it is in neither, FindK6 builds it into the cache.
func FindK6(ctx context.Context, root string, out io.Writer) (string, error) {
	return newRunner(ctx, root, out, "").GoProgram(ctx, "k6", k6Module)
}
