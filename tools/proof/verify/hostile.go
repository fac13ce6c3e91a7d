package verify

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var repeated = regexp.MustCompile(`\{(\d+)\}`)

// ReadHostile reads gateway/testdata/hostile.tsv: requests, byte by byte, by which one client could try to change the
// answers of another, by name, sent to path. It returns an error for a line that is not a name and a quoted text.
func ReadHostile(root, path string) (map[string]string, error) {
	file, err := os.Open(filepath.Join(root, "gateway", "testdata", "hostile.tsv"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	all := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		name, quoted, _ := strings.Cut(lines.Text(), "\t")
		request, err := strconv.Unquote(quoted)
		if err != nil || all[name] != "" {
			return nil, fmt.Errorf("%s: %q comes twice or is not quoted", file.Name(), name)
		}
		request = repeated.ReplaceAllStringFunc(request, func(count string) string {
			n, _ := strconv.Atoi(count[1 : len(count)-1]) // digits
			return strings.Repeat("x", n)
		})
		all[name] = strings.ReplaceAll(request, "{path}", path)
	}
	return all, lines.Err()
}
