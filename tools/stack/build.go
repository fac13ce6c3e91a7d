package stack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sync/errgroup"
)

// builds says where what was built is.
type builds struct {
	bin     string // folder with one program per file
	web     string // folder with the browser application
	traefik string // the program, when it is the gateway
}

// build brings the programs and the web up to date. What has not changed is not built again.
func (s *Stack) build(ctx context.Context) (builds, error) {
	if s.options.built != nil {
		return *s.options.built, nil
	}
	result := builds{
		bin: s.options.binFolder(),
		web: filepath.Join(s.options.Root, "web", "dist"),
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return s.progress.Step("building the programs", func() error {
			return buildGo(ctx, s.options, s.options.packages())
		})
	})
	group.Go(func() error { return BuildWeb(ctx, s.options.Root, s.progress) })
	if s.options.Gateway == Traefik {
		group.Go(func() (err error) {
			result.traefik, err = FindTraefik(ctx, s.options.Root, s.progress)
			return err
		})
	}
	err := group.Wait()
	return result, err
}

// binFolder holds the built programs, for every data folder. Those of other build tags or with other clocks lie elsewhere.
func (o Options) binFolder() string {
	name := "bin"
	if o.Tags != "" {
		name += "-" + o.Tags
	}
	if o.Clocks {
		name += "-clocks"
	}
	return filepath.Join(o.Root, ".baari", name)
}

// packages are the programs to build.
func (o Options) packages() []string {
	all := o.Gateway.packages()
	for _, service := range Services {
		all = append(all, servicePackage(service))
	}
	return all
}

func servicePackage(service string) string {
	return "baari.dev/services/" + service + "/cmd/" + service
}

// buildGo compiles programs in one call, which shares their common packages; Go itself skips what has not changed.
func buildGo(ctx context.Context, o Options, packages []string) error {
	bin := o.binFolder()
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return err
	}
	unlock, err := lockFile(ctx, filepath.Join(bin, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	args := []string{"build", "-tags", o.Tags}
	if o.Clocks {
		overlay, err := wrongClock(ctx, bin)
		if err != nil {
			return err
		}
		args = append(args, overlay)
	}
	return goTool(ctx, o.Root, append(append(args, "-o", bin+string(filepath.Separator)), packages...)...)
}

func goTool(ctx context.Context, dir string, args ...string) error {
	path, err := exec.LookPath("go")
	if err != nil {
		return advise("Go is missing: install the version that go.work names, then run this again.")
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	return runQuietly(cmd)
}

// BuildWeb installs the web's packages when the lock has changed, and builds it when any of its files has.
func BuildWeb(ctx context.Context, root string, progress *Progress) error {
	web := filepath.Join(root, "web")
	locks := filepath.Join(root, ".baari")
	if err := os.MkdirAll(locks, 0o700); err != nil {
		return err
	}
	unlock, err := lockFile(ctx, filepath.Join(locks, "web.lock"))
	if err != nil {
		return err
	}
	defer unlock()
	stamp := filepath.Join(web, "node_modules", ".cache", "baari", "built")
	hash, err := webHash(root)
	if err != nil {
		return err
	}
	last, _ := os.ReadFile(stamp)
	_, err = os.Stat(filepath.Join(web, "dist", "index.html"))
	if err == nil && string(last) == hash {
		return nil
	}
	node, err := FindNode(ctx, progress)
	if err != nil {
		return err
	}
	if err := InstallWeb(ctx, root, node, progress); err != nil {
		return err
	}
	err = progress.Step("building the web", func() error { return runQuietly(node.Command(ctx, web, "vite", "build")) })
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(stamp), 0o700); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(hash), 0o600)
}

// InstallWeb installs the web's packages unless they are what the lock names.
func InstallWeb(ctx context.Context, root string, node *Node, progress *Progress) error {
	return InstallPackages(ctx, filepath.Join(root, "web"), "the web", node, progress)
}

// InstallPackages installs the packages of the folder dir, which people know as what, unless they are what its lock names.
func InstallPackages(ctx context.Context, dir, what string, node *Node, progress *Progress) error {
	if installed(dir) {
		return nil
	}
	return progress.Step("installing the packages of "+what, func() error {
		return runNpm(ctx, node.npm, dir, node.env, "ci", "--ignore-scripts")
	})
}

// lockedPackages is what matters here of a package-lock.json and of npm's own record of what it has installed.
type lockedPackages struct {
	Packages map[string]struct {
		Version  string
		Optional bool
	}
}

// installed compares the lock with npm's record in node_modules.
func installed(dir string) bool {
	var wanted, there lockedPackages
	if readJSON(filepath.Join(dir, "package-lock.json"), &wanted) != nil ||
		readJSON(filepath.Join(dir, "node_modules", ".package-lock.json"), &there) != nil {
		return false
	}
	for name, pack := range wanted.Packages {
		if name != "" && !pack.Optional && there.Packages[name].Version != pack.Version {
			return false
		}
	}
	return true
}

func readJSON(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// notBuilt are the folders of the web whose content does not reach the built application.
var notBuilt = map[string]bool{
	"node_modules": true, "dist": true, "e2e": true, "scenes": true, "screenshots": true, "coverage": true, "test-results": true, "playwright-report": true,
}

// webHash changes whenever a file changes that the built web is made of.
func webHash(root string) (string, error) {
	digest := sha256.New()
	add := func(path string) error {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		_, _ = fmt.Fprintf(digest, "%s\n", path)
		_, err = io.Copy(digest, file)
		return err
	}
	web := filepath.Join(root, "web")
	err := filepath.WalkDir(web, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && filepath.Dir(path) == web && notBuilt[entry.Name()]:
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		return add(path)
	})
	if err != nil {
		return "", err
	}
	if err := add(filepath.Join(root, "services", "directory", "office.json")); err != nil {
		return "", err
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}
