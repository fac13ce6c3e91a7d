// Package budget checks the limits of the repository in budgets.tsv, such as its size and the waits of its tests. A
// commit that raises a limit says why in its message.
package budget

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

var sourceEndings = []string{".go", ".ts", ".tsx", ".css", ".sql"}

// source is a tracked file of Go, TypeScript, CSS or SQL, but not a .d.ts file.
type source struct {
	path  string // relative to the root, with slashes
	lines int
	text  []byte
}

func (s source) isTest() bool {
	return strings.HasSuffix(s.path, "_test.go") || strings.Contains(s.path, ".test.") || strings.Contains(s.path, "/e2e/")
}

func (s source) in(folder string) bool { return strings.HasPrefix(s.path, folder+"/") }

func readSources(t *testing.T) (all []source) {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "services", "gateway", "tools", "web")
	cmd.Dir = root
	listed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(listed)) {
		name = strings.TrimSpace(name)
		if !slices.Contains(sourceEndings, path.Ext(name)) || strings.HasSuffix(name, ".d.ts") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if os.IsNotExist(err) { // deleted, not committed yet
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, source{name, bytes.Count(text, []byte("\n")), text})
	}
	return all
}

// lines returns the number of lines in a folder's files whose extension is one of the given endings.
func lines(all []source, folder string, tests bool, endings string) (sum int) {
	for _, s := range all {
		if s.in(folder) && strings.Contains(endings, path.Ext(s.path)) && (tests || !s.isTest()) {
			sum += s.lines
		}
	}
	return sum
}

// largest sums a value over the files of each folder, without tests. It returns the largest sum and its folder.
func largest(all []source, under, endings, except string, value func(source) int) (most int, where string) {
	sums := map[string]int{}
	for _, s := range all {
		folder := path.Dir(s.path)
		if s.in(under) && strings.Contains(endings, path.Ext(s.path)) && !s.isTest() && folder != except {
			sums[folder] += value(s)
		}
	}
	for folder, sum := range sums {
		if sum > most {
			most, where = sum, folder
		}
	}
	return most, where
}

// matches counts the matches of a pattern in tests of Go (".go") or of the web (".ts.tsx").
func matches(all []source, endings string, pattern *regexp.Regexp) (count int) {
	for _, s := range all {
		if strings.Contains(endings, path.Ext(s.path)) && s.isTest() && !s.in("tools/budget") {
			count += len(pattern.FindAll(s.text, -1))
		}
	}
	return count
}

// midSentence counts the comments after code that begin inside a sentence, and returns the place of the last.
func midSentence(all []source) (count int, where string) {
	for _, s := range all {
		number := 0
		for line := range strings.Lines(string(s.text)) {
			number++
			if line = strings.TrimSpace(line); !wholeComment.MatchString(line) && clause.MatchString(line) {
				count, where = count+1, s.path+":"+strconv.Itoa(number)
			}
		}
	}
	return count, where
}

var (
	wholeComment = regexp.MustCompile(`^(?://|--|/?\*)`)
	clause       = regexp.MustCompile(`\S\s+(?://|/\*|--) (?:about|after|against|and|as|at|because|before|between|but|` +
		`by|during|except|for|from|if|in|into|of|on|onto|or|over|per|since|so|than|that|then|through|to|under|` +
		`unless|until|upon|via|when|where|which|while|who|whom|whose|with|within|without) `)

	sleep      = regexp.MustCompile(`time\.Sleep\(`)
	goLimit    = regexp.MustCompile(`(?:time\.After|WithTimeout)\([^)\n]*time\.(?:Second|Millisecond)`)
	pageSleep  = regexp.MustCompile(`waitForTimeout\(`)
	pageLimit  = regexp.MustCompile(`\btimeout: ?[\d_]+`)
	onePerFile = func(source) int { return 1 }
)

func dependencies(t *testing.T, program string) int {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", program)
	cmd.Dir = root
	listed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(listed, []byte("\n"))
}

func packages(t *testing.T, folder string) (count int) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			count++
		}
	}
	return count
}

// measure returns the measured values by their names in budgets.tsv, and for some of them the place.
func measure(t *testing.T) (values map[string]int, places map[string]string) {
	t.Helper()
	all := readSources(t)
	values, places = map[string]int{}, map[string]string{}
	place := func(name string, value int, where string) { values[name], places[name] = value, where }
	values["tools, lines without tests"] = lines(all, "tools", false, ".go")
	values["tools, lines with tests"] = lines(all, "tools", true, ".go")
	values["services, lines without tests"] = lines(all, "services", false, ".go")
	values["gateway, lines without tests"] = lines(all, "gateway", false, ".go")
	most, where := largest(all, "services", ".go", "services/auth", onePerFile)
	place("files of a Go package", most, where)
	most, where = largest(all, "services", ".go", "services/auth", func(s source) int { return s.lines })
	place("lines of a Go package", most, where)
	most, where = largest(all, "services/auth", ".go", "", onePerFile)
	place("files of package auth", most, where)
	most, where = largest(all, "services/auth", ".go", "", func(s source) int { return s.lines })
	place("lines of package auth", most, where)
	most, where = largest(all, "web/src", ".ts.tsx", "web/src/ui", onePerFile)
	place("files of a folder of the web", most, where)
	most, where = largest(all, "web/src/ui", ".ts.tsx", "", onePerFile)
	place("files of the web's ui", most, where)
	for _, s := range all {
		if s.lines > values["lines of a file"] && path.Ext(s.path) != ".css" && path.Ext(s.path) != ".sql" {
			place("lines of a file", s.lines, s.path)
		}
	}
	values["CSS of the web, lines"] = lines(all, "web", true, ".css")
	values["packages of platform"] = packages(t, "services/platform")
	values["packages of the launcher"] = dependencies(t, "./tools/baari")
	values["packages of the product"] = dependencies(t, "./gateway/cmd/baarid")
	values["sleeps in Go tests"] = matches(all, ".go", sleep)
	values["limits of waits in Go tests"] = matches(all, ".go", goLimit)
	values["sleeps in web tests"] = matches(all, ".ts.tsx", pageSleep)
	values["limits of waits in web tests"] = matches(all, ".ts.tsx", pageLimit)
	most, where = midSentence(all)
	place("trailing comments in mid-sentence", most, where)
	return values, places
}

// A value above its limit fails. In a row marked "shrinks", the limit must equal the value, so that removed entries do
// not come back.
func TestTheRepositoryKeepsItsBudgets(t *testing.T) {
	text, err := os.ReadFile("budgets.tsv")
	if err != nil {
		t.Fatal(err)
	}
	values, places := measure(t)
	for i, row := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if i == 0 { // the names of the columns
			continue
		}
		cells := strings.Split(row, "\t")
		if len(cells) != 3 {
			t.Fatalf("row %d of budgets.tsv has %d columns", i+1, len(cells))
		}
		limit, err := strconv.Atoi(cells[1])
		value, known := values[cells[0]]
		switch {
		case err != nil || !known:
			t.Errorf("%q is no budget: %v", row, err)
		case value > limit:
			t.Errorf("%s: %d, the limit is %d (%s)", cells[0], value, limit, places[cells[0]])
		case value < limit && cells[2] == "shrinks":
			t.Errorf("%s: %d, so lower the limit of %d in budgets.tsv", cells[0], value, limit)
		}
		delete(values, cells[0])
	}
	for name := range values {
		t.Errorf("%s has no row in budgets.tsv", name)
	}
}
