package verify

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Rule is a rate limit in the code of the services.
type Rule struct {
	Name       string
	PerAddress bool // set if the rule counts by the client's address
}

var (
	ruleLiteral = regexp.MustCompile(`(\w+\.)?\bRule\{([^{}]*)\}`)
	ruleName    = regexp.MustCompile(`\bName:\s*"([^"]+)"`)
	perAddress  = regexp.MustCompile(`\bBy:\s*(?:limit\.)?PerAddress\b`)
)

// ReadRules returns every limit.Rule that the code under root/services declares.
func ReadRules(root string) ([]Rule, error) {
	var rules []Rule
	err := filepath.WalkDir(filepath.Join(root, "services"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range ruleLiteral.FindAllSubmatch(text, -1) {
			qualifier, fields := string(found[1]), found[2]
			inLimit := qualifier == "" && filepath.Base(filepath.Dir(path)) == "limit"
			if name := ruleName.FindSubmatch(fields); name != nil && (inLimit || qualifier == "limit.") {
				rules = append(rules, Rule{string(name[1]), perAddress.Match(fields)})
			}
		}
		return err
	})
	return rules, err
}
