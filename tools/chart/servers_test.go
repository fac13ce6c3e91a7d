package chart

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestAnUpgradeRestartsNoServerForItsVersion checks that no label of the pods of PostgreSQL and Redis has a version.
// Such a label would make each upgrade restart them, and requests would fail until PostgreSQL is ready again.
func TestAnUpgradeRestartsNoServerForItsVersion(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(chart), "examples", "default.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	servers := 0
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var set struct {
			Kind     string
			Metadata struct{ Name string }
			Spec     struct {
				Template struct {
					Metadata struct{ Labels map[string]string }
				}
			}
		}
		if err := yaml.Unmarshal([]byte(document), &set); err != nil {
			t.Fatal(err)
		}
		if set.Kind != "StatefulSet" {
			continue
		}
		servers++
		labels := set.Spec.Template.Metadata.Labels
		for _, name := range []string{"app.kubernetes.io/version", "helm.sh/chart"} {
			if labels[name] != "" {
				t.Errorf("the pod of %s has the label %s", set.Metadata.Name, name)
			}
		}
		if labels["app.kubernetes.io/component"] == "" {
			t.Errorf("the pod of %s has not the labels that its Service selects", set.Metadata.Name)
		}
	}
	if servers != 2 {
		t.Fatalf("%d servers, want PostgreSQL and Redis", servers)
	}
}
