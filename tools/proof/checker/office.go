package checker

import (
	"maps"
	"slices"
)

// OfficeVersion is an event of directory about a version of the office document. Before and After are the documents as
// text of equal form; Before is "null" for the first version.
type OfficeVersion struct {
	Version       int64
	Before, After string
}

// checkOffice checks I26: the versions of the office document have the numbers 1 to n, each document is followed by the
// one that replaces it, and every copy has the last version at the end.
func checkOffice(e *Evidence) []Violation {
	var found findings
	for i, v := range e.Office {
		if v.Version != int64(i+1) {
			found.add("I26", nil, "version %d of the office document is number %d", v.Version, i+1)
			return found
		}
		if i > 0 && v.Before != e.Office[i-1].After {
			found.add("I26", nil, "version %d of the office document does not follow version %d", v.Version, v.Version-1)
		}
	}
	for _, program := range slices.Sorted(maps.Keys(e.OfficeCopies)) {
		if at := e.OfficeCopies[program]; at != int64(len(e.Office)) {
			found.add("I26", nil, "%s has version %d of the office document, not %d", program, at, len(e.Office))
		}
	}
	return found
}
