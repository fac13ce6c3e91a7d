//go:build mutant

// Package mutant says which planted bug this program carries. It exists only under the build tag mutant: the programs that are shipped
// have neither the package nor the lines that ask it. `baari chaos mutants` builds with the tag and shows that each bug is found.
package mutant

import "os"

// chosen is M1 to M14 of reliability.md T2, or none.
var chosen = os.Getenv("BAARI_MUTANT")

// Is reports whether the program carries the bug.
func Is(id string) bool { return chosen == id }

// Choose is the right text, or the wrong one in the program that carries the bug.
func Choose(id, right, wrong string) string {
	if Is(id) {
		return wrong
	}
	return right
}
