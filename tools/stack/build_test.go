package stack

import (
	"os"
	"path/filepath"
	"testing"
)

// tree creates a folder with the given files, keyed by their paths.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		at := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTheWebIsBuiltAgainOnlyIfItsSourcesChange(t *testing.T) {
	root := tree(t, map[string]string{
		"web/index.html": "a", "web/src/main.tsx": "b", "web/dist/index.html": "c", "web/e2e/day.spec.ts": "d",
		"web/node_modules/x/index.js": "e", "services/office/office.json": "{}",
	})
	hash := func() string {
		sum, err := webHash(root)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	before := hash()
	for path, changes := range map[string]bool{
		"web/dist/index.html": false, "web/e2e/day.spec.ts": false, "web/node_modules/x/index.js": false,
		"web/src/main.tsx": true, "web/index.html": true, "web/src/new.ts": true, "services/office/office.json": true,
	} {
		if err := os.WriteFile(filepath.Join(root, path), []byte("changed by "+path), 0o600); err != nil {
			t.Fatal(err)
		}
		after := hash()
		if (after != before) != changes {
			t.Errorf("%s: built again %v, want %v", path, after != before, changes)
		}
		before = after
	}
}

func TestPackagesAreInstalledAgainIfTheyDifferFromTheLockFile(t *testing.T) {
	lock := `{"packages":{"":{"name":"web"},"node_modules/a":{"version":"1.0.0"},
		"node_modules/b":{"version":"1.0.0","optional":true}}}`
	for name, test := range map[string]struct {
		there string
		want  bool
	}{
		"the same":                     {`{"packages":{"node_modules/a":{"version":"1.0.0"}}}`, true},
		"another version":              {`{"packages":{"node_modules/a":{"version":"1.0.1"}}}`, false},
		"nothing":                      {`{"packages":{}}`, false},
		"a record that cannot be read": {`{`, false},
	} {
		root := tree(t, map[string]string{"package-lock.json": lock, "node_modules/.package-lock.json": test.there})
		if got := installed(root); got != test.want {
			t.Errorf("%s: installed is %v", name, got)
		}
	}
}

func TestNodeVersions(t *testing.T) {
	for _, test := range []struct {
		version [3]int
		old     bool
	}{{[3]int{20, 20, 2}, true}, {[3]int{22, 22, 1}, true}, {[3]int{22, 22, 2}, false}, {[3]int{24, 0, 0}, false}} {
		if older(test.version, oldestNode) != test.old {
			t.Errorf("%v too old: %v", test.version, !test.old)
		}
	}
}

func TestWithoutNpmTheAdviceSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := FindNode(t.Context(), NewProgress(&output{})); !isAdvice(err) {
		t.Errorf("got %v", err)
	}
}

func TestPortsAreFreeAndDifferent(t *testing.T) {
	seen := map[int]bool{}
	for range 30 { // many calls, without programs that listen on the returned ports
		ports, err := FreePorts(20)
		if err != nil {
			t.Fatal(err)
		}
		for _, port := range ports {
			if seen[port] {
				t.Errorf("port %d is returned twice", port)
			}
			seen[port] = true
			if err := checkPort(port); err != nil {
				t.Error(err)
			}
		}
	}
}
