package suite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// T28: a licence that requires publication of our source, and a missing licence, are rejected.
func TestALicenceThatIsNotAllowedIsRejected(t *testing.T) {
	for text, want := range map[string]error{
		"https://www.opensource.org/licenses/mit": nil, "https://www.apache.org/licenses/LICENSE-2.0": nil,
		"https://www.opensource.org/licenses/agpl-3.0": errLicence,
		"All rights reserved.":                         errNoLicence, "": errNoLicence,
	} {
		folder := t.TempDir()
		if text != "" {
			if err := os.WriteFile(filepath.Join(folder, "LICENSE"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := checkFolder(folder); !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

func TestAPackageWithoutAnAllowedLicenceIsRejected(t *testing.T) {
	count, rejected, err := checkLock([]byte(`{"packages":{"":{"license":"UNLICENSED"},
		"node_modules/a":{"license":"MIT"},"node_modules/b":{"license":"(GPL-2.0 OR MIT)"},
		"node_modules/c":{"license":"AGPL-3.0"},"node_modules/d":{},"node_modules/e":{"license":"GPL-3.0","dev":true}}}`))
	if err != nil || count != 4 || len(rejected) != 2 {
		t.Errorf("%d packages, rejected %v, %v", count, rejected, err)
	}
	for _, one := range rejected {
		if !strings.Contains(one.Error(), "modules/c") && !strings.Contains(one.Error(), "modules/d") {
			t.Errorf("rejected %v", one)
		}
	}
}
