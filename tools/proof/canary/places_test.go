// Package canary has the test of a system after the browser's tests: its logs and metrics pages must not contain the
// personal data of its databases, and a visitor who is erased must be in no table. Start reading at after_test.go.
package canary

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/stack"
)

// places are the logs and pages to search, and the databases with the personal data to search for.
type places struct {
	Databases map[string]string // address by service
	Logs      string            // folder of *.log files and rotated ones
	Metrics   []string          // addresses
}

// personal has queries of the columns with personal data, keyed by service.
var personal = map[string]string{
	"auth":      `SELECT unnest(ARRAY[name, email]) FROM users`,
	"visits":    `SELECT unnest(ARRAY[name, phone, reception_notes, pa_notes, session_notes]) FROM visits`,
	"directory": `SELECT unnest(ARRAY[name, phone, email, message]) FROM appointments`,
}

// carriers are texts that precede secrets. The databases store these secrets only as hashes.
var carriers = []string{"Bearer ", "session_token=", "reset-password?token="}

// shortest is the minimum length of a searched text in characters: shorter ones occur in ordinary words.
const shortest = 8

var errFound = errors.New("personal data was written")

// check searches the places for the texts of the databases and for further texts. It returns errFound with each place,
// but without the text found there. It also returns an error if the databases have no texts, or if there are no logs or
// pages to search.
func (p places) check(ctx context.Context, more ...string) error {
	words, err := p.words(ctx)
	if err != nil {
		return err
	}
	logs, err := filepath.Glob(filepath.Join(p.Logs, "*.log*"))
	if err != nil {
		return err
	}
	if len(words) <= len(carriers) || len(logs) == 0 || len(p.Metrics) == 0 {
		return fmt.Errorf("nothing to check: %d texts, %d logs, %d pages", len(words), len(logs), len(p.Metrics))
	}
	words = append(words, more...)
	var errs []error
	for _, path := range logs {
		text, err := os.ReadFile(path)
		errs = append(errs, err, find(filepath.Base(path), string(text), words))
	}
	for _, address := range p.Metrics {
		var page strings.Builder
		errs = append(errs, stack.Get(ctx, address, "", &page), find(address, page.String(), words))
	}
	return errors.Join(errs...)
}

// words returns the texts to search for, without duplicates.
func (p places) words(ctx context.Context) ([]string, error) {
	words := slices.Clone(carriers)
	for service, query := range personal {
		found, err := list(ctx, p.Databases[service], query)
		if err != nil {
			return nil, fmt.Errorf("read the personal data of %s: %w", service, err)
		}
		for _, word := range found {
			if word != nil && utf8.RuneCountInString(*word) >= shortest {
				words = append(words, *word)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words), nil
}

func list(ctx context.Context, address, query string) (found []*string, err error) {
	err = stack.WithConnection(ctx, address, func(connection *pgx.Conn) (err error) {
		rows, _ := connection.Query(ctx, query) // CollectRows returns the error
		found, err = pgx.CollectRows(rows, pgx.RowTo[*string])
		return err
	})
	return found, err
}

// find returns an error for each line that contains a word. The error has the number of the line but not its text.
func find(place, text string, words []string) error {
	var errs []error
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) }) {
			errs = append(errs, fmt.Errorf("%w: %s, line %d", errFound, place, number))
		}
	}
	return errors.Join(errs...)
}
