package stack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const traefikPackage = "github.com/traefik/traefik/v3/cmd/traefik"

// FindTraefik returns the path of the machine's Traefik, else builds the pinned version into the cache, which takes
// minutes.
func FindTraefik(ctx context.Context, root string, progress *Progress) (string, error) {
	if path, err := exec.LookPath("traefik"); err == nil {
		return path, nil
	}
	module := filepath.Join(root, "gateway", "traefik")
	hash, err := moduleHash(module)
	if err != nil {
		return "", err
	}
	cache, err := CacheFolder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, "traefik-"+hash)
	err = MakeOnce(ctx, path, func(unfinished string) error {
		return progress.Step("building Traefik, once; this takes minutes", func() error {
			// Without DWARF, which -w removes anyway, compilation takes an eighth less.
			cmd := GoCommand(ctx, module, "build", "-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=-s -w",
				"-o", unfinished, traefikPackage)
			cmd.Env = append(cmd.Env, "GOWORK=off")
			return runQuietly(cmd)
		})
	})
	return path, explain(err, cache)
}

// moduleHash returns a hash of the versions that a module pins, for the names of programs built from it.
func moduleHash(module string) (string, error) {
	digest := sha256.New()
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(module, file))
		if err != nil {
			return "", err
		}
		digest.Write(text)
	}
	return hex.EncodeToString(digest.Sum(nil))[:12], nil
}

// traefikSpec writes Traefik's configuration for this run with traefikconf and returns spec changed to run Traefik.
func (s *Stack) traefikSpec(ctx context.Context, built builds, spec Spec) (Spec, error) {
	dir := filepath.Join(s.folder.Path(), "run", "traefik")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return spec, err
	}
	write := exec.CommandContext(ctx, filepath.Join(built.bin, "traefikconf"), "-out", dir)
	write.Env = spec.Env
	if err := runQuietly(write); err != nil {
		return spec, fmt.Errorf("write Traefik's configuration: %w", err)
	}
	spec.Path = built.traefik
	spec.Args = []string{"--configFile=" + filepath.Join(dir, "traefik.yaml")}
	return spec, nil
}
