package stack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

const traefikPackage = "github.com/traefik/traefik/v3/cmd/traefik"

// FindTraefik returns the path of the machine's Traefik, or else the pinned version, whose first build takes minutes.
func FindTraefik(ctx context.Context, root string, progress *Progress) (string, error) {
	if path, err := exec.LookPath("traefik"); err == nil {
		return path, nil
	}
	module := filepath.Join(root, "gateway", "traefik")
	return buildOnce(ctx, module, "traefik", "Traefik", progress, func(unfinished string) error {
		dir, err := os.MkdirTemp("", "baari-traefik-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if err := withoutUnused(ctx, module, dir); err != nil {
			return err
		}
		// The flag -w removes DWARF anyway. Compilation takes an eighth less time if it generates none.
		cmd := GoCommand(ctx, dir, "build", "-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=-s -w", "-o", unfinished,
			traefikPackage)
		cmd.Env = append(cmd.Env, "GOWORK=off")
		return runQuietly(LowPriority(cmd))
	})
}

// buildOnce calls build, which builds the program of a module, unless the program is in the cache already. It returns
// the path of the program. The name of the file ends with the hash of moduleHash.
func buildOnce(
	ctx context.Context, module, name, what string, progress *Progress, build func(unfinished string) error,
) (string, error) {
	hash, err := moduleHash(module)
	if err != nil {
		return "", err
	}
	cache, err := CacheFolder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, name+"-"+hash)
	return path, explain(MakeOnce(ctx, path, func(unfinished string) error {
		return progress.Step("building "+what+", once; this takes minutes", func() error { return build(unfinished) })
	}), cache)
}

// unused are parts of Traefik that the product does not use and that are most of the program: lego's DNS providers, and
// the providers that read configuration from the APIs of clusters. Substitutes are in gateway/traefik/without.
var unused = []struct {
	module, folder string
	removed        []string // folders and files
}{
	{"github.com/go-acme/lego/v5", "lego", []string{"providers/dns"}},
	{
		"github.com/traefik/traefik/v3", "traefik",
		[]string{"pkg/provider/ecs", "pkg/provider/kubernetes", "pkg/types/k8sdetector.go"},
	},
}

// without is the folder with the substitutes for the parts that unused lists.
const without = "without"

// withoutUnused copies the module to a folder, together with copies of the modules that unused lists, in which the
// substitutes replace the removed parts. The copied module uses these copies.
func withoutUnused(ctx context.Context, module, to string) error {
	if err := os.CopyFS(to, os.DirFS(module)); err != nil {
		return err
	}
	for _, one := range unused {
		source, err := DownloadModule(ctx, module, one.module)
		if err != nil {
			return err
		}
		replaced := filepath.Join(to, one.folder)
		if err := os.CopyFS(replaced, os.DirFS(source)); err != nil {
			return err
		}
		for _, name := range one.removed {
			if err := os.RemoveAll(filepath.Join(replaced, name)); err != nil {
				return err
			}
		}
		if err := os.CopyFS(replaced, os.DirFS(filepath.Join(module, without, one.folder))); err != nil {
			return err
		}
		err = runQuietly(GoCommand(ctx, to, "mod", "edit", "-replace="+one.module+"=./"+one.folder))
		if err != nil {
			return err
		}
	}
	return nil
}

// DownloadModule downloads a module, verifies its checksum, and returns its folder. If module names no version, the
// version is the one that the module in dir requires.
func DownloadModule(ctx context.Context, dir, module string) (string, error) {
	cmd := GoCommand(ctx, dir, "mod", "download", "-json", module)
	cmd.Env = append(cmd.Env, "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	var found struct{ Dir, Error string }
	if decoded := json.Unmarshal(out, &found); decoded != nil || found.Dir == "" {
		return "", fmt.Errorf("download %s: %w %s", module, err, found.Error)
	}
	return found.Dir, nil
}

// moduleHash returns a hash of a module's versions and substitutes, for the names of programs built from the module.
func moduleHash(module string) (string, error) {
	digest := sha256.New()
	add := func(path string) error {
		text, err := os.ReadFile(path)
		digest.Write(text)
		return err
	}
	err := errors.Join(add(filepath.Join(module, "go.mod")), add(filepath.Join(module, "go.sum")))
	walked := filepath.WalkDir(filepath.Join(module, without), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return add(path)
	})
	return hex.EncodeToString(digest.Sum(nil))[:12], errors.Join(err, walked)
}

// traefikSpec writes Traefik's configuration for this run with traefikconf and returns spec changed to run Traefik.
func (s *Stack) traefikSpec(ctx context.Context, built builds, spec Spec) (Spec, error) {
	dir := filepath.Join(s.folder.Path(), "run", "traefik")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return spec, err
	}
	write := exec.CommandContext(ctx, filepath.Join(built.bin, Product), "traefikconf", "--out", dir)
	write.Env = spec.Env
	if err := runQuietly(write); err != nil {
		return spec, fmt.Errorf("write Traefik's configuration: %w", err)
	}
	spec.Path = built.traefik
	spec.Args = []string{"--configFile=" + filepath.Join(dir, "traefik.yaml")}
	return spec, nil
}
