package stack

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// oldestNode is the lowest version of Node.js that the web's packages accept.
var oldestNode = [3]int{22, 22, 2}

// Node is a Node.js new enough to build the web, with the npm of the machine.
type Node struct {
	npm string
	bin string // folder of the program node; "" if it is found on PATH
	env []string
}

// FindNode returns the machine's Node.js. If that is too old, npm downloads a newer one into the cache, on Linux only.
// FindNode returns Advice if there is no usable Node.js or no npm.
func FindNode(ctx context.Context, progress *Progress) (*Node, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, errNoNpm
	}
	version, err := nodeVersion(ctx)
	if err != nil {
		return nil, advise("Node.js is missing: install version 22 or newer together with npm, then run this again.")
	}
	if !older(version, oldestNode) {
		return &Node{npm: npm, env: os.Environ()}, nil
	}
	if runtime.GOOS != "linux" {
		return nil, advise("Node.js %s is too old: install version 22.22.2 or newer, then run this again.", dotted(version))
	}
	var modules string
	err = progress.Step(fmt.Sprintf("Node.js %s is too old; downloading a newer one", dotted(version)), func() error {
		modules, err = fetchPackages(ctx, "node")
		return err
	})
	if err != nil {
		return nil, orAdvice(err, "Node.js %s is too old and a newer one could not be downloaded: "+
			"install version 22.22.2 or newer, or check the network.", dotted(version))
	}
	bin := filepath.Join(modules, "node-linux-"+npmArch(), "bin")
	return &Node{npm: npm, bin: bin, env: withPath(os.Environ(), bin)}, nil
}

// Command returns a command that runs a program of node_modules/.bin or of PATH with this Node.
func (n *Node) Command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	// exec.Command looks up names in the launcher's PATH, not in the command's.
	for _, bin := range []string{filepath.Join(dir, "node_modules", ".bin"), n.bin} {
		if own := filepath.Join(bin, name); bin != "" && isFile(own) {
			name = own
			break
		}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, n.environment()
	return cmd
}

// Npm returns a command that runs npm with this Node in a folder.
func (n *Node) Npm(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, n.npm, args...)
	cmd.Dir, cmd.Env = dir, n.environment()
	return cmd
}

// environment returns a copy for each command, because callers append to it and commands run concurrently.
func (n *Node) environment() []string { return slices.Clone(n.env) }

func nodeVersion(ctx context.Context) ([3]int, error) {
	var v [3]int
	text, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return v, err
	}
	_, err = fmt.Sscanf(string(text), "v%d.%d.%d", &v[0], &v[1], &v[2])
	return v, err
}

func older(a, b [3]int) bool { return slices.Compare(a[:], b[:]) < 0 }

func dotted(v [3]int) string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func npmArch() string {
	if runtime.GOARCH == "amd64" {
		return "x64"
	}
	return runtime.GOARCH
}

func withPath(env []string, dir string) []string {
	others := slices.DeleteFunc(slices.Clone(env), func(entry string) bool { return strings.HasPrefix(entry, "PATH=") })
	return append(others, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}
