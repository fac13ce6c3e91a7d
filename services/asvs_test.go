package services_test

import (
	"encoding/csv"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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

// itemsInScope is the number of items of ASVS 5.0 that the requirements name: 177 of the levels 1 and 2, and 6 of level
// 3.
const itemsInScope = 183

// itemForm matches the number of an item. naming matches a comment that begins with one or more items, such as ASVS
// 7.2.4, 7.3.1.
var (
	itemForm = regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	naming   = regexp.MustCompile(`// ASVS (\d+\.\d+\.\d+(?:, \d+\.\d+\.\d+)*)`)
)

// A proof is one test and one item of which the test is evidence. Tests of the web are identified by their file, tests
// of Go by their name.
type proof struct {
	test string
	item string
}

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

// Each item in scope has one row with evidence that exists. If a requirement is not met, or has no test or page, its
// row has a note.
func TestEachItemOfASVSNamesWhatSatisfiesIt(t *testing.T) {
	tests, _ := namings(t)
	seen := map[string]bool{}
	for _, row := range readASVS(t) {
		item := row[asvsItem]
		if seen[item] || !itemForm.MatchString(item) || row[asvsRequirement] == "" ||
			!slices.Contains([]string{"L1", "L2", "L3"}, row[asvsLevel]) {
			t.Errorf("%s: it comes twice, or is not an item with a level and a text", item)
		}
		seen[item] = true
		if !slices.Contains([]string{"met", "partly", "deviation"}, row[asvsStatus]) {
			t.Errorf("%s: the status is %q", item, row[asvsStatus])
		}
		shown := false
		for _, word := range strings.Fields(row[asvsEvidence]) {
			shown = shown || isTest(word) || strings.Contains(word, ".md#")
			if !exists(word, tests) {
				t.Errorf("%s: there is no %s", item, word)
			}
		}
		if (row[asvsStatus] != "met" || !shown) && row[asvsNote] == "" {
			t.Errorf("%s: %s with %q needs a note", item, row[asvsStatus], row[asvsEvidence])
		}
	}
	if len(seen) != itemsInScope {
		t.Errorf("%d items, want %d", len(seen), itemsInScope)
	}
	for _, word := range []string{
		"TestThatIsNowhere", "services/nowhere.go", "services/README.md#nowhere", "web/e2e/nowhere.spec.ts",
	} {
		if exists(word, tests) {
			t.Errorf("the check does not notice %s", word)
		}
	}
}

// Each test that a row names as evidence names the row's item at its assertion. Each test that names an item is
// evidence in the item's row.
func TestEvidenceNamesItsRequirementAndTheRowNamesIt(t *testing.T) {
	_, named := namings(t)
	rows := map[proof]bool{}
	for _, row := range readASVS(t) {
		for _, word := range strings.Fields(row[asvsEvidence]) {
			if isTest(word) {
				rows[proof{word, row[asvsItem]}] = true
			}
		}
	}
	for p := range rows {
		if named[p] == "" {
			t.Errorf("%s is evidence of %s and does not name it", p.test, p.item)
		}
	}
	for p, place := range named {
		if !rows[p] {
			t.Errorf("%s: %s names %s, whose row does not name the test", place, p.test, p.item)
		}
	}
}

func TestMarkersOutsideATestAreDetected(t *testing.T) {
	const text = "package a\n\n// ASVS 1.1.1\nfunc TestA(t *testing.T) {\n\t// ASVS 1.2.3, 1.2.4\n\tt.Error()\n}\n\n" +
		"func helper() {\n\tprintln() // ASVS 2.1.1\n}\n"
	found, lost := namingsOfGo(t, "a_test.go", text)
	if want := []proof{{"TestA", "1.2.3"}, {"TestA", "1.2.4"}}; !slices.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
	if want := []string{"a_test.go:3", "a_test.go:10"}; !slices.Equal(lost, want) {
		t.Errorf("lost %v, want %v", lost, want)
	}
}

func isGoTest(word string) bool {
	return strings.HasPrefix(word, "Test") || strings.HasPrefix(word, "Fuzz")
}

func isWebTest(word string) bool {
	return strings.HasPrefix(word, "web/") && (strings.Contains(word, ".spec.ts") || strings.Contains(word, ".test.ts"))
}

func isTest(word string) bool { return isGoTest(word) || isWebTest(word) }

// exists reports whether one word of a row's evidence is a test, a file, or a page with a heading, such as
// "services/README.md#rules".
func exists(word string, tests map[string]bool) bool {
	if isGoTest(word) {
		return tests[word]
	}
	name, heading, _ := strings.Cut(word, "#")
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		return false
	}
	return heading == "" || slices.Contains(anchors(string(text)), heading)
}

// anchors returns the anchors that GitHub gives the headings of a page.
func anchors(page string) (found []string) {
	dropped := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for line := range strings.Lines(page) {
		if heading := strings.TrimLeft(line, "#"); heading != line && strings.HasPrefix(heading, " ") {
			text := dropped.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			found = append(found, strings.ReplaceAll(text, " ", "-"))
		}
	}
	return found
}

// namings reads all tests of the repository. It returns the names of the Go tests, and the place of each comment that
// names an item.
func namings(t *testing.T) (tests map[string]bool, named map[proof]string) {
	t.Helper()
	tests, named = map[string]bool{}, map[proof]string{}
	for _, root := range []string{".", "../gateway", "../tools", "../web/src", "../web/e2e"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			word := strings.TrimPrefix(filepath.ToSlash(path), "../")
			isGo := strings.HasSuffix(path, "_test.go")
			if err != nil || entry.IsDir() || !isGo && !isWebTest(word) {
				return err
			}
			text, err := os.ReadFile(path)
			if !isGo {
				for _, item := range itemsOf(string(text)) {
					named[proof{word, item}] = word
				}
				return err
			}
			for _, match := range goTest.FindAllSubmatch(text, -1) {
				tests[string(match[1])] = true
			}
			found, lost := namingsOfGo(t, path, string(text))
			for _, place := range lost {
				t.Errorf("%s: a requirement is named outside the body of a test", place)
			}
			for _, p := range found {
				named[p] = path
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return tests, named
}

var goTest = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(\w+ \*testing\.[TF]\)`)

func itemsOf(text string) (items []string) {
	for _, match := range naming.FindAllStringSubmatch(text, -1) {
		items = append(items, strings.Split(match[1], ", ")...)
	}
	return items
}

// namingsOfGo returns the items that the tests of one file name in their bodies, and the places of comments that name
// an item outside of a test.
func namingsOfGo(t *testing.T, path, text string) (found []proof, lost []string) {
	t.Helper()
	if !naming.MatchString(text) {
		return nil, nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]*ast.BlockStmt{}
	for _, declaration := range file.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil && isGoTest(f.Name.Name) {
			bodies[f.Name.Name] = f.Body
		}
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			items := itemsOf(comment.Text)
			within := ""
			for _, name := range slices.Sorted(maps.Keys(bodies)) {
				if bodies[name].Lbrace < comment.Pos() && comment.Pos() < bodies[name].Rbrace {
					within = name
				}
			}
			for _, item := range items {
				found = append(found, proof{within, item})
			}
			if position := set.Position(comment.Pos()); within == "" && len(items) > 0 {
				found = found[:len(found)-len(items)]
				lost = append(lost, position.Filename+":"+strconv.Itoa(position.Line))
			}
		}
	}
	return found, lost
}
