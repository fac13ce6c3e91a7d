package kube

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baari.dev/tools/stack"
)

// fakeHelm puts a helm on PATH that writes each call to a file and fails those that contain a text. Every office has
// revision 4. A kubectl on PATH finds a pod that is ending before the first test only.
func fakeHelm(t *testing.T, fails string) (calls func() []string) {
	t.Helper()
	folder := t.TempDir()
	script := `#!/bin/sh
echo "$*" >> ` + folder + `/calls
case "$*" in *" status "*) echo "version: 4";; *"` + fails + `"*) exit 1;; esac
`
	if err := os.WriteFile(filepath.Join(folder, "helm"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	script = `#!/bin/sh
[ -e ` + folder + `/asked ] || echo baari-visits-old
touch ` + folder + `/asked
`
	if err := os.WriteFile(filepath.Join(folder, "kubectl"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() []string {
		text, err := os.ReadFile(filepath.Join(folder, "calls"))
		if err != nil {
			t.Fatal(err)
		}
		var changes []string
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); words[2] != "status" {
				changes = append(changes, words[1]+" "+words[2])
			}
		}
		return changes
	}
}

func TestAFleetIsUpgradedWaveByWaveAndStopsAtTheFirstFailedTest(t *testing.T) {
	for fails, want := range map[string][]string{
		"none": {
			"baari-north upgrade", "baari-north test", "baari-south upgrade", "baari-south test",
		},
		"baari-north test": {"baari-north upgrade", "baari-north test", "baari-north rollback"},
		"baari-south upgrade": {
			"baari-north upgrade", "baari-north test", "baari-south upgrade", "baari-south rollback",
		},
	} {
		calls := fakeHelm(t, fails)
		err := UpgradeFleet(t.Context(), FleetOptions{
			Chart: "../../charts/baari", File: "../../k8s/gitops/fleet.yaml", Progress: stack.NewProgress(io.Discard),
		})
		if (err == nil) != (fails == "none") {
			t.Errorf("%s: %v", fails, err)
		}
		if got := calls(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", fails, got, want)
		}
	}
}

// The values of an office are files that exist, its own last.
func TestTheOfficesOfTheExampleHaveTheirValues(t *testing.T) {
	waves, err := readFleet("../../k8s/gitops/fleet.yaml", "../../charts/baari")
	if err != nil || len(waves) != 2 || len(waves[0]) != 1 || len(waves[1]) != 1 {
		t.Fatalf("%v, %v", waves, err)
	}
	for _, wave := range waves {
		for _, m := range wave {
			for _, file := range m.values {
				if _, err := os.Stat(file); err != nil {
					t.Error(err)
				}
			}
			own := "values-" + strings.TrimPrefix(m.namespace, "baari-") + ".yaml"
			if last := m.values[len(m.values)-1]; filepath.Base(last) != own {
				t.Errorf("the last values of %s are %s", m.namespace, last)
			}
		}
	}
}
