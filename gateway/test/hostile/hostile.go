// Package hostile reads gateway/testdata/hostile.tsv: requests, byte by byte, with which one client could try to change
// the responses to another. The tests of the gateways and of the whole system send them.
package hostile

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

var repeated = regexp.MustCompile(`\{(\d+)\}`)

// Requests returns the requests of the file, keyed by their names and addressed to path. It returns an error for a line
// that is not a name and a quoted text, or that repeats a name.
func Requests(file, path string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		name, quoted, _ := strings.Cut(lines.Text(), "\t")
		request, err := strconv.Unquote(quoted)
		if err != nil || all[name] != "" {
			return nil, fmt.Errorf("%s: %q comes twice or is not quoted", file, name)
		}
		request = repeated.ReplaceAllStringFunc(request, func(count string) string {
			n, _ := strconv.Atoi(count[1 : len(count)-1]) // digits
			return strings.Repeat("x", n)
		})
		all[name] = strings.ReplaceAll(request, "{path}", path)
	}
	return all, lines.Err()
}
