package office

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

// ReadFile reads and checks the office document of a file. Its error names the setting OFFICE_FILE and each key that is
// unknown, missing or bad.
func ReadFile(name string) (Document, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return Document{}, fmt.Errorf("OFFICE_FILE: %w", err)
	}
	document, err := Read(text)
	if err != nil {
		return Document{}, fmt.Errorf("OFFICE_FILE: %w", err)
	}
	return document, nil
}

// Read decodes and checks an office document. Its error names each key that is unknown, missing or bad.
func Read(text []byte) (Document, error) {
	var document Document
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&document); err != nil {
		return Document{}, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Document{}, errors.New("something follows the document")
	}
	if err := missing(text, document); err != nil {
		return Document{}, err
	}
	return document, document.check()
}

// missing compares the file with the document written out again: what only the latter has was left out.
func missing(text []byte, document Document) error {
	whole, err := json.Marshal(document)
	if err != nil {
		return err
	}
	var given, wanted any
	if err := errors.Join(json.Unmarshal(text, &given), json.Unmarshal(whole, &wanted)); err != nil {
		return err
	}
	return errors.Join(absent("", given, wanted)...)
}

func absent(path string, given, wanted any) []error {
	var problems []error
	switch wanted := wanted.(type) {
	case map[string]any:
		members, _ := given.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(wanted)) {
			if value, known := members[key]; known {
				problems = append(problems, absent(path+"/"+key, value, wanted[key])...)
			} else {
				problems = append(problems, fmt.Errorf("key %s/%s is missing", path, key))
			}
		}
	case []any:
		elements, _ := given.([]any)
		for i := range min(len(elements), len(wanted)) {
			problems = append(problems, absent(fmt.Sprintf("%s/%d", path, i), elements[i], wanted[i])...)
		}
	}
	return problems
}
