package services_test

import (
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The columns of docs/asvs.csv.
const (
	asvsItem = iota
	asvsLevel
	asvsRequirement
	asvsStatus
	asvsEvidence
	asvsNote
)

// itemsInScope is how many items of ASVS 5.0 the requirements name: 177 of the levels 1 and 2, and 6 of level 3.
const itemsInScope = 183

func readASVS(t *testing.T) [][]string {
	t.Helper()
	file, err := os.Open("docs/asvs.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows: %v", len(rows), err)
	}
	return rows[1:]
}

// Each item in scope is there once, with a test or a file that exists; what is not met says why.
func TestEachItemOfASVSNamesWhatSatisfiesIt(t *testing.T) {
	tests := testNames(t)
	seen := map[string]bool{}
	for _, row := range readASVS(t) {
		item := row[asvsItem]
		if seen[item] || !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(item) || row[asvsRequirement] == "" || !slices.Contains([]string{"L1", "L2", "L3"}, row[asvsLevel]) {
			t.Errorf("%s: it comes twice, or is not an item with a level and a text", item)
		}
		seen[item] = true
		if !slices.Contains([]string{"met", "partly", "deviation"}, row[asvsStatus]) || row[asvsStatus] != "met" && row[asvsNote] == "" {
			t.Errorf("%s: %q needs to be met, or to say why not", item, row[asvsStatus])
		}
		if lacking := unproved(row[asvsEvidence], tests); len(lacking) > 0 || row[asvsEvidence] == "" {
			t.Errorf("%s: there is no %s", item, lacking)
		}
	}
	if len(seen) != itemsInScope {
		t.Errorf("%d items, want %d", len(seen), itemsInScope)
	}
	if lacking := unproved("TestThatIsNowhere services/nowhere.go services/arch_test.go", tests); len(lacking) != 2 {
		t.Errorf("the check notices %v", lacking)
	}
}

// unproved are the words of an evidence that are neither a test nor a file.
func unproved(evidence string, tests map[string]bool) (lacking []string) {
	for _, word := range strings.Fields(evidence) {
		if tests[word] {
			continue
		}
		if _, err := os.Stat(filepath.Join("..", word)); err != nil || !strings.Contains(word, ".") {
			lacking = append(lacking, word)
		}
	}
	return lacking
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// testNames are the names of all Go tests of the repository.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, module := range []string{".", "../gateway", "../tools"} {
		err := filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, match := range testFunc.FindAllSubmatch(text, -1) {
				names[string(match[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}
