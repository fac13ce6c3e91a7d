package stack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sync/errgroup"
)

type builds struct {
	bin     string // folder with one file per program
	web     string // folder of the browser application
	traefik string // path of Traefik, if that is the gateway
}

// Build builds the programs and the web of a repository, unless they are up to date.
func Build(ctx context.Context, options Options) error {
	_, err := (&Stack{options: options, progress: options.Progress}).build(ctx)
	return err
}

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
			return s.options.buildGo(ctx, s.options.binFolder(), nil, s.options.packages())
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

// binFolder returns the folder of built programs for all data folders. Programs with settable clocks have another.
func (o Options) binFolder() string {
	name := "bin"
	if o.Clocks {
		name += "-clocks"
	}
	return filepath.Join(o.Root, ".baari", name)
}

func (o Options) packages() []string {
	if o.Seed {
		return []string{productPackage, Lab}
	}
	return []string{productPackage}
}

// Lab is the program with the measurements, the faults and the sample visits. The launcher does not contain them.
const Lab = "baari.dev/tools/lab"

const productPackage = "baari.dev/gateway/cmd/" + Product

// buildGo compiles programs with one go command, so that their common packages are compiled once. overlay maps source
// files of the repository to their replacements.
func (o Options) buildGo(ctx context.Context, bin string, overlay map[string]string, packages []string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return advise("Go is missing: install the version that go.work names, then run this again.")
	}
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return err
	}
	unlock, err := LockFile(ctx, filepath.Join(bin, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	replace := overlay
	if o.Clocks {
		clock, err := wrongClock(ctx, bin)
		if err != nil {
			return err
		}
		maps.Copy(clock, overlay)
		replace = clock
	}
	args := []string{"build"}
	if len(replace) > 0 {
		list := filepath.Join(bin, "overlay.json")
		if err := WriteJSON(list, map[string]any{"Replace": replace}); err != nil {
			return err
		}
		args = append(args, "-overlay="+list)
	}
	return runQuietly(GoCommand(ctx, o.Root, append(append(args, "-o", bin+string(filepath.Separator)), packages...)...))
}

// BuildPlanted builds the program of this system into the folder bin, with some sources replaced, as by `go build
// -overlay`. It returns the path of the program.
func (s *Stack) BuildPlanted(ctx context.Context, bin string, overlay map[string]string) (string, error) {
	return filepath.Join(bin, Product), s.options.buildGo(ctx, bin, overlay, []string{productPackage})
}

// GoCommand returns a go command with cgo off. Neither the product nor its tools contain C code, and with a
// compiler but without the C library's headers every cgo build fails. Only tests with the race detector need cgo.
func GoCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	return cmd
}

// LowPriority changes a command to run with a lower priority, if the machine has nice. It is for builds of third-party
// programs, which take minutes and run at the same time as tests.
func LowPriority(cmd *exec.Cmd) *exec.Cmd {
	nice, err := exec.LookPath("nice")
	if err != nil {
		return cmd
	}
	cmd.Args = append([]string{"nice", "-n", "10", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = nice
	return cmd
}

// BuildWeb installs the web's packages if the lock file has changed, and builds the web if a source has changed.
func BuildWeb(ctx context.Context, root string, progress *Progress) error {
	web := filepath.Join(root, "web")
	locks := filepath.Join(root, ".baari")
	if err := os.MkdirAll(locks, 0o700); err != nil {
		return err
	}
	unlock, err := LockFile(ctx, filepath.Join(locks, "web.lock"))
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

// InstallWeb installs the web's packages unless they match the lock file.
func InstallWeb(ctx context.Context, root string, node *Node, progress *Progress) error {
	return InstallPackages(ctx, filepath.Join(root, "web"), "the web", node, progress)
}

// InstallPackages installs the packages of a folder unless they match its lock file. label names them in messages.
func InstallPackages(ctx context.Context, dir, label string, node *Node, progress *Progress) error {
	if installed(dir) {
		return nil
	}
	unlock, err := lockPackages(ctx, dir)
	if err != nil {
		return err
	}
	defer unlock()
	if installed(dir) { // another launcher may have installed them while this one waited for the lock
		return nil
	}
	return progress.Step("installing the packages of "+label, func() error {
		return runNpm(ctx, node.npm, dir, node.env, "ci", "--ignore-scripts")
	})
}

// lockPackages waits for the lock on a folder's packages. The lock is in the cache, since npm ci deletes node_modules.
func lockPackages(ctx context.Context, dir string) (func(), error) {
	cache, err := CacheFolder()
	if err != nil {
		return nil, err
	}
	name := sha256.Sum256([]byte(dir))
	return LockFile(ctx, filepath.Join(cache, "npm-"+hex.EncodeToString(name[:6])+".lock"))
}

// lockedPackages is the part of package-lock.json, and of npm's record of installed packages, that is compared.
type lockedPackages struct {
	Packages map[string]struct {
		Version  string
		Optional bool
	}
}

// installed reports whether npm's record in node_modules matches the lock file.
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

// notBuilt lists the folders of the web that do not affect the built application.
var notBuilt = map[string]bool{
	"node_modules": true, "dist": true, "e2e": true, "scenes": true, "screenshots": true, "coverage": true,
	"test-results": true, "playwright-report": true,
}

// webHash returns a hash of the files that the web is built from.
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
	if err := add(filepath.Join(root, "services", "office", "office.json")); err != nil {
		return "", err
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}
