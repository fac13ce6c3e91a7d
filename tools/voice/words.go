// Package voice makes the voice packs of the screens in the waiting room: one file of short clips for each language,
// and a manifest that says where each clip is.
//
// Start with Make; words.tsv has what is said.
package voice

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// table is words.tsv: each line has a clip's name and its words in each language. Numbers are written in digits.
//
//go:embed words.tsv
var table string

// Word is one clip of a language: its name and what is said.
type Word struct{ Clip, Text string }

// Words are the clips of each language, keyed by language.
type Words map[string][]Word

// ReadWords returns the words of the packs. It returns an error for an incomplete line or a repeated clip.
func ReadWords() (Words, error) { return parse(table) }

func parse(table string) (Words, error) {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	header := strings.Split(lines[0], "\t")
	if len(header) < 2 || header[0] != "clip" {
		return nil, errors.New("words.tsv: the first line must be clip and the languages")
	}
	words, seen := Words{}, map[string]bool{}
	for i, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != len(header) || slices.Contains(cells, "") {
			return nil, fmt.Errorf("words.tsv:%d: want %d cells", i+2, len(header))
		}
		if seen[cells[0]] {
			return nil, fmt.Errorf("words.tsv:%d: %s comes twice", i+2, cells[0])
		}
		seen[cells[0]] = true
		for j, language := range header[1:] {
			words[language] = append(words[language], Word{cells[0], cells[j+1]})
		}
	}
	return words, nil
}

// Digest identifies the words of a language. The manifest has it, so that a pack of other words is noticed.
func (w Words) Digest(language string) string {
	sum := sha256.New()
	for _, word := range w[language] {
		_, _ = fmt.Fprintf(sum, "%s\t%s\n", word.Clip, word.Text) // cannot fail: writing to a hash returns no error
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
