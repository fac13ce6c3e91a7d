package suite

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestCoverageFailsBelowTheMinimumOrWithAnUncoveredRule(t *testing.T) {
	const visit, other = "baari.dev/services/visits/visit/visit.go", "baari.dev/services/visits/queue/store.go"
	for name, c := range map[string]struct {
		blocks []string
		says   string
	}{
		"everything is covered": {[]string{visit + ":1.1,2.2 3 1", other + ":1.1,2.2 7 2"}, ""},
		"little is uncovered":   {[]string{visit + ":1.1,2.2 3 1", other + ":1.1,2.2 20 2", other + ":3.1,4.2 1 0"}, ""},
		"much is uncovered": {
			[]string{visit + ":1.1,2.2 3 1", other + ":1.1,2.2 3 2", other + ":3.1,4.2 3 0"}, "coverage is 66.7 %",
		},
		"a test-only package": {
			[]string{"baari.dev/services/platform/testkit/redis.go:1.1,2.2 99 0", other + ":1.1,2.2 9 2"}, "",
		},
		"an uncovered rule": {[]string{visit + ":7.1,8.2 1 0", other + ":1.1,2.2 99 2"}, visit + ":7"},
		"an empty function": {[]string{visit + ":7.1,8.2 0 0", other + ":1.1,2.2 9 2"}, ""},
	} {
		file := filepath.Join(t.TempDir(), "profile")
		if err := os.WriteFile(file, []byte("mode: atomic\n"+strings.Join(c.blocks, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var got coverage
		if err := got.add(file); err != nil {
			t.Fatal(err)
		}
		err := got.judge(io.Discard)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPackagesOfAWholeAreCountedTogether(t *testing.T) {
	for _, c := range []struct {
		packages []string
		want     [][]string
	}{
		{
			[]string{"baari.dev/gateway/embedded", "baari.dev/gateway/webserver"},
			[][]string{{"-coverpkg=baari.dev/gateway/...", "baari.dev/gateway/embedded", "baari.dev/gateway/webserver"}},
		},
		{
			[]string{
				"baari.dev/services/audit", "baari.dev/services/auth/devices", "baari.dev/services/visits",
				"baari.dev/services/visits/queue", "baari.dev/services/visitsother",
			},
			[][]string{
				{
					"-coverpkg=baari.dev/services/auth/...,baari.dev/services/visits/...",
					"baari.dev/services/auth/devices", "baari.dev/services/visits", "baari.dev/services/visits/queue",
				},
				{"baari.dev/services/audit", "baari.dev/services/visitsother"},
			},
		},
		{[]string{"baari.dev/services/audit"}, [][]string{{"baari.dev/services/audit"}}},
	} {
		if got := testedTogether(c.packages); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v are tested as %v", c.packages, got)
		}
	}
}
