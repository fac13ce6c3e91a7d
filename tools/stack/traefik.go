package stack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
			modfile, remove, err := withoutDNSProviders(ctx, module)
			if err != nil {
				return err
			}
			defer remove()
			// Without DWARF, which -w removes anyway, compilation takes an eighth less.
			cmd := GoCommand(ctx, module, "build", "-modfile="+modfile, "-trimpath", "-gcflags=all=-dwarf=false",
				"-ldflags=-s -w", "-o", unfinished, traefikPackage)
			cmd.Env = append(cmd.Env, "GOWORK=off")
			return runQuietly(cmd)
		})
	})
	return path, explain(err, cache)
}

// withoutDNSProviders returns a module file that replaces lego, Traefik's ACME client, by a copy without its providers
// for DNS challenges, and a function that removes the copy. The product does not use them, and they are three minutes
// of the build.
func withoutDNSProviders(ctx context.Context, module string) (modfile string, remove func(), err error) {
	const lego = "github.com/go-acme/lego/v5"
	list := GoCommand(ctx, module, "mod", "download", "-json", lego)
	list.Env = append(list.Env, "GOWORK=off")
	listed, err := list.Output()
	if err != nil {
		return "", nil, fmt.Errorf("download %s: %w", lego, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(listed, &found); err != nil {
		return "", nil, fmt.Errorf("download %s: %w", lego, err)
	}
	dir, err := os.MkdirTemp("", "baari-traefik-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	modfile = filepath.Join(dir, "go.mod")
	providers := filepath.Join(dir, "lego", "providers", "dns")
	edit := GoCommand(ctx, module, "mod", "edit", "-replace="+lego+"="+filepath.Join(dir, "lego"), modfile)
	for _, step := range []func() error{
		func() error { return os.CopyFS(filepath.Join(dir, "lego"), os.DirFS(found.Dir)) },
		func() error { return os.RemoveAll(providers) },
		func() error { return os.CopyFS(providers, os.DirFS(filepath.Join(module, "dns"))) },
		func() error { return copyFile(filepath.Join(module, "go.mod"), modfile) },
		func() error { return copyFile(filepath.Join(module, "go.sum"), filepath.Join(dir, "go.sum")) },
		func() error { return runQuietly(edit) },
	} {
		if err := step(); err != nil {
			remove()
			return "", nil, err
		}
	}
	return modfile, remove, nil
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600) //nolint:gosec // to is below the cache folder
}

// moduleHash returns a hash of the versions that a module pins and of what it replaces, for the names of programs built
// from it.
func moduleHash(module string) (string, error) {
	digest := sha256.New()
	for _, file := range []string{"go.mod", "go.sum", filepath.Join("dns", "providers.go")} {
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
