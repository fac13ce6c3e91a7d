package spec

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fence    = regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]*`")
	link     = regexp.MustCompile(`\]\(([^)\s#]*)(?:#([^)\s]+))?\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	noAnchor = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
	counted  = regexp.MustCompile(`(?i)\b(?:five|six|seven|eight|[5-8])\s+(?:services|databases|programs)\b`)
)

// pages returns the Markdown pages of the repository by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "*.md")
	cmd.Dir = root
	listed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for name := range strings.Lines(string(listed)) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) { // deleted, not committed yet
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// anchors returns the anchors of a page's headings, as GitHub makes them.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	for _, found := range heading.FindAllStringSubmatch(page, -1) {
		plain := noAnchor.ReplaceAllString(strings.ToLower(found[1]), "")
		all[strings.ReplaceAll(strings.TrimSpace(plain), " ", "-")] = true
	}
	return all
}

// badLinks returns the links of a page, relative to the root of the pages, that lead to no file or to no heading.
func badLinks(name string, all map[string]string, exists func(path string) bool) (bad []string) {
	for _, found := range link.FindAllStringSubmatch(fence.ReplaceAllString(all[name], ""), -1) {
		if strings.Contains(found[1], ":") { // another site
			continue
		}
		path := name
		if found[1] != "" {
			path = filepath.ToSlash(filepath.Join(filepath.Dir(name), found[1]))
		}
		page, isPage := all[path]
		if !isPage && !exists(path) || isPage && found[2] != "" && !anchors(page)[found[2]] {
			bad = append(bad, found[0])
		}
	}
	return bad
}

func TestEachLinkOfThePagesLeadsToAFileAndAHeading(t *testing.T) {
	all := pages(t)
	for name := range all {
		for _, bad := range badLinks(name, all, func(path string) bool {
			_, err := os.Stat(filepath.Join(root, path))
			return err == nil
		}) {
			t.Errorf("%s: nothing is at %s", name, bad)
		}
	}
}

func TestALinkToNoFileOrNoHeadingIsReported(t *testing.T) {
	all := map[string]string{
		"docs/a.md": "# One `word`, two\n[b](../b.md#here) [c](#one-word-two) [site](https://x) `[d](d.md)`\n" +
			"[e](../e.md) [f](#one) [g](../b.md#there)",
		"b.md": "## Here",
	}
	bad := badLinks("docs/a.md", all, func(string) bool { return false })
	if got := strings.Join(bad, " "); got != "](../e.md) ](#one) ](../b.md#there)" {
		t.Errorf("reported %q", got)
	}
}

// A new service would make the number wrong, so the pages say "every service".
func TestNoPageCountsTheServices(t *testing.T) {
	for name, text := range pages(t) {
		if name == "CHANGELOG.md" || strings.HasPrefix(name, "services/docs/decisions/") { // what was true then
			continue
		}
		for _, found := range counted.FindAllString(text, -1) {
			t.Errorf("%s says %q", name, found)
		}
	}
}
