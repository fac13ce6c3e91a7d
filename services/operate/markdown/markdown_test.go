package markdown_test

import (
	"bytes"
	"html"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"baari.dev/services/operate/markdown"
)

// A user's name is rendered as plain text: no link, no picture, no heading, no HTML.
func TestEscapedTextIsRenderedUnchanged(t *testing.T) {
	reader := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for _, name := range []string{
		"Asha Rao", "D'Souza-Rao", "# Heading", "- item", "+ item", "* item", "1. item", "12) item", "> quote", "---",
		"===", "***bold***", "_em_", "~~gone~~", "[pay here](https://evil.example)", "![x](https://evil.example/x.png)",
		"<https://evil.example>", "<img src=x onerror=alert(1)>", "<script>x</script>", "https://evil.example",
		"HTTP://evil.example", "www.evil.example", "WWW.evil.example", "ftp://evil.example", "mail@evil.example",
		"mailto:mail@evil.example", "`code`", "```", "&lt;b&gt;", "&#60;b>", `\[x\](y)`, `back\slash`, "a | b", "[ ] task",
		"[x]: https://evil.example", "[^1]", "आशा राव", "x\\", "://",
	} {
		for _, line := range []string{"- %", "- name: %", "- % \\<mail\\>: 3", "%"} {
			var out bytes.Buffer
			if err := reader.Convert([]byte(strings.ReplaceAll(line, "%", markdown.Text(name))), &out); err != nil {
				t.Fatal(err)
			}
			want := html.EscapeString(strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(line, "- "), `\`, ""), "%", name))
			got := html.EscapeString(html.UnescapeString(trimmed(out.String())))
			if got != want {
				t.Errorf("%q in %q is shown as %q", name, line, out.String())
			}
		}
	}
}

// trimmed removes the list and paragraph tags around a line.
func trimmed(shown string) string {
	shown = strings.TrimSpace(shown)
	shown = strings.TrimSuffix(strings.TrimPrefix(shown, "<ul>\n<li>"), "</li>\n</ul>")
	return strings.TrimSuffix(strings.TrimPrefix(shown, "<p>"), "</p>")
}

func TestALineBreakIsReplaced(t *testing.T) {
	if got, want := markdown.Text("a\r\n# b\nc\td\n"), "a ⏎ # b ⏎ c d"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
