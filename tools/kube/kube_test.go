package kube

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rendering is the chart rendered with its defaults. A test of the chart compares the file with what Helm renders.
const rendering = "../../charts/baari/examples/default.yaml"

func TestTrailIsVerifiedByTheProgramOfThePod(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash(rendering))
	if err != nil {
		t.Fatal(err)
	}
	const args = "--target=audit"
	if !strings.Contains(string(text), "args: ["+args+"]") {
		t.Fatalf("the chart renders no container with the argument %s", args)
	}
	for rendered, want := range map[string]string{
		"":                 "/audit-analytics verify",
		`["` + args + `"]`: "/ko-app/baarid audit verify",
	} {
		if got := strings.Join(verifier(rendered), " "); got != want {
			t.Errorf("arguments %q: %q, want %q", rendered, got, want)
		}
	}
}

func TestStepsAfterARollbackToAnEarlierChartRunOnTheNewOne(t *testing.T) {
	for from, want := range map[string][]string{
		"":    {"upgrade", "rollback"},
		"old": {"upgrade", "rollback", "upgrade after the rollback"},
	} {
		r := &run{Options: Options{From: from}}
		var got []string
		for _, s := range r.versions() {
			got = append(got, s.name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("from %q: %q, want %q", from, got, want)
		}
	}
}

func TestNoPodOfAStatefulSetIsDeletedByForce(t *testing.T) {
	if slices.Contains(abrupt("statefulset"), "--force") {
		t.Error("two servers would have the volume at the same time")
	}
	if !slices.Contains(abrupt("deployment"), "--force") {
		t.Error("the pod of a service is not killed")
	}
}
