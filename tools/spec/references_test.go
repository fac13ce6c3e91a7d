// Package spec compares the statements of the specification with the references to them in tests.
package spec

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	item      = regexp.MustCompile(`^S\d\.[a-z]+\.\d\d$`)
	reference = regexp.MustCompile(`(?:^|[^\w.])(S\d\.[a-z]+\.)(\d+)(?:-(\d+))?\b`)
	testFile  = regexp.MustCompile(`(\.test\.tsx?|\.spec\.ts|_test\.go)$`)
)

var skipped = map[string]bool{"node_modules": true, ".git": true, "dist": true}

type statement struct{ ID, Statement string }

type report struct {
	Items      int         // number of statements
	Referenced int         // number of statements that a test refers to
	Missing    []statement // statements that no test refers to
	Unknown    []string    // references to statements that do not exist: "id (file:line)"
}

// check reads the list of statements and every test file under the roots. It returns an error if the list has another
// form or a file cannot be read.
func check(list string, roots ...string) (report, error) {
	items, err := readItems(list)
	if err != nil {
		return report{}, err
	}
	places := map[string]string{} // file and line of the first reference, keyed by id
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && skipped[entry.Name()]:
				return filepath.SkipDir
			case entry.IsDir() || !testFile.MatchString(path):
				return nil
			}
			return readReferences(path, places)
		})
		if err != nil {
			return report{}, err
		}
	}
	return compare(items, places), nil
}

func compare(items []statement, places map[string]string) report {
	found := report{Items: len(items)}
	for _, item := range items {
		if _, ok := places[item.ID]; ok {
			found.Referenced++
		} else {
			found.Missing = append(found.Missing, item)
		}
		delete(places, item.ID)
	}
	for id, place := range places {
		found.Unknown = append(found.Unknown, id+" ("+place+")")
	}
	slices.Sort(found.Unknown)
	return found
}

// readItems reads the list of statements. Each line has an id, a section, a kind and a statement, separated by tabs.
func readItems(path string) ([]statement, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	head, rest, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n")
	if head != "id\tsection\tkind\tstatement" {
		return nil, fmt.Errorf("%s: the first line must be id, section, kind, statement, separated by tabs", path)
	}
	var items []statement
	seen := map[string]bool{}
	for line := range strings.SplitSeq(rest, "\n") {
		cells := strings.Split(line, "\t")
		if len(cells) != 4 || slices.Contains(cells, "") || !item.MatchString(cells[0]) || seen[cells[0]] {
			return nil, fmt.Errorf("%s: not an item, or a duplicate: %.60s", path, line)
		}
		seen[cells[0]] = true
		items = append(items, statement{ID: cells[0], Statement: cells[3]})
	}
	return items, nil
}

func readReferences(path string, places map[string]string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		for _, id := range references(lines.Text()) {
			if places[id] == "" {
				places[id] = path + ":" + strconv.Itoa(n)
			}
		}
	}
	return lines.Err()
}

// references returns the ids in a line, including those of a range such as S2.login.03-07.
func references(line string) []string {
	var ids []string
	for _, found := range reference.FindAllStringSubmatch(line, -1) {
		ids = append(ids, expand(found[1], found[2], found[3])...)
	}
	return ids
}

// expand returns every id of a range. A reversed range, or one of over 100 ids, is returned as a single unknown id.
func expand(topic, first, last string) []string {
	if last == "" {
		return []string{topic + first}
	}
	low, _ := strconv.Atoi(first) // cannot fail: the expression matches digits only
	high, _ := strconv.Atoi(last)
	if high < low || high-low > 99 {
		return []string{topic + first + "-" + last}
	}
	var ids []string
	for n := low; n <= high; n++ {
		ids = append(ids, fmt.Sprintf("%s%0*d", topic, len(first), n))
	}
	return ids
}
