// Package markdown escapes user input for Markdown documents.
package markdown

import (
	"regexp"
	"strings"
)

// inline escapes what begins markup anywhere in a line: emphasis, code, links, HTML, entities, tables; and @ and ://,
// because renderers turn addresses into links.
var inline = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`,
	`&`, `\&`, `~`, `\~`, `|`, `\|`, `@`, `\@`,
	`://`, `\://`, "\r\n", lineBreak, "\n", lineBreak, "\r", lineBreak, "\t", " ",
)

// lineBreak replaces a line break: the text after it must not begin a line.
const lineBreak = " ⏎ "

var (
	// block matches what is markup only at the beginning of a line: headings, lists, rules.
	block = regexp.MustCompile(`^([#+=-]|[0-9]+[.)])`)
	// web matches an address that renderers link without a scheme.
	web = regexp.MustCompile(`(?i)(www)\.`)
)

// Text returns text escaped so that CommonMark renderers, also with GitHub's extensions, show it as plain text on one
// line, at any position of the line.
func Text(text string) string {
	text = strings.TrimSpace(text)
	if begins := block.FindString(text); begins != "" {
		last := len(begins) - 1
		return inline.Replace(begins[:last]) + `\` + begins[last:] + linkless(text[len(begins):])
	}
	return linkless(text)
}

func linkless(text string) string { return web.ReplaceAllString(inline.Replace(text), `$1\.`) }
