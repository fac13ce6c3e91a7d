package stack

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestProgramsComeFromTheFolderThenTheDownloadedNodeThenPath(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	local := filepath.Join(dir, "node_modules", ".bin")
	if err := os.MkdirAll(local, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{
		filepath.Join(local, "vite"), filepath.Join(bin, "vite"), filepath.Join(bin, "node"),
	} {
		if err := os.WriteFile(program, nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	node := &Node{bin: bin}
	for name, want := range map[string]string{
		"vite": filepath.Join(local, "vite"), "node": filepath.Join(bin, "node"), "sh": "sh",
	} {
		if got := node.Command(t.Context(), dir, name).Args[0]; got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
}

func TestCommandsDoNotShareTheirEnvironment(t *testing.T) {
	env := append(make([]string, 0, 8), "PATH=/bin") // has spare capacity, into which an append would write
	node := &Node{npm: "npm", env: env}
	one, other := node.Command(t.Context(), t.TempDir(), "playwright"), node.Npm(t.Context(), t.TempDir(), "test")
	one.Env = append(one.Env, "BAARI_URL=http://one")
	other.Env = append(other.Env, "BAARI_URL=http://other")
	if want := []string{"PATH=/bin", "BAARI_URL=http://one"}; !slices.Equal(one.Env, want) {
		t.Errorf("the first command got %q, want %q", one.Env, want)
	}
	if want := []string{"PATH=/bin", "BAARI_URL=http://other"}; !slices.Equal(other.Env, want) {
		t.Errorf("the second command got %q, want %q", other.Env, want)
	}
}
