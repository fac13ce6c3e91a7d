package verify

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// BadInput is one line of badinput.tsv.
type BadInput struct {
	Kind string
	Text string // bytes, not always UTF-8
	raw  bool   // set if Text is JSON or malformed JSON, unset if it is a plain string
}

// JSON returns the input as a value in a JSON body.
func (b BadInput) JSON() string {
	if b.raw {
		return b.Text
	}
	var quoted strings.Builder
	quoted.WriteByte('"')
	for i := range len(b.Text) {
		switch c := b.Text[i]; {
		case c == '"' || c == '\\':
			quoted.WriteByte('\\')
			quoted.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&quoted, `\u%04x`, c)
		default:
			quoted.WriteByte(c)
		}
	}
	quoted.WriteByte('"')
	return quoted.String()
}

// IsText reports whether the input is a string, so that the stored value can be compared with it.
func (b BadInput) IsText() bool { return !b.raw }

// ReadBadInputs reads badinput.tsv. Each line that is no comment must be unique: a kind, a count, a quoted string.
func ReadBadInputs(path string) ([]BadInput, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var all []BadInput
	seen := map[string]bool{}
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		input, err := parseBadInput(line)
		if err != nil || seen[line] {
			return nil, fmt.Errorf("%s:%d: twice %v: %w", path, n, seen[line], err)
		}
		seen[line] = true
		all = append(all, input)
	}
	return all, lines.Err()
}

func parseBadInput(line string) (BadInput, error) {
	parts := strings.Split(line, "\t")
	if len(parts) != 3 {
		return BadInput{}, fmt.Errorf("%d columns, want 3", len(parts))
	}
	times, err := strconv.Atoi(parts[1])
	if err != nil {
		return BadInput{}, err
	}
	text, err := strconv.Unquote(parts[2])
	if err != nil {
		return BadInput{}, fmt.Errorf("%s: %w", parts[2], err)
	}
	return BadInput{Kind: parts[0], Text: strings.Repeat(text, times), raw: strings.HasPrefix(parts[0], "json")}, nil
}
