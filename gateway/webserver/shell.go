package webserver

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"baari.dev/services/office"
)

// shellsPath is a file of the build: the HTML that public pages show until their scripts run, by language and path.
const shellsPath = "/shells.json"

// shellMark is the placeholder in the page for the HTML of shellsPath.
const shellMark = "<!-- shell -->"

// scripts matches the tags by which the built index.html loads the application.
var scripts = regexp.MustCompile(
	`<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"[^>]*>(?:</script>)?`)

// languageMenu matches the menu of languages in a shell.
var languageMenu = regexp.MustCompile(`<details class="language-menu".*?</details>`)

// withShell inserts the shell into a page and replaces the page's script tags by start.js, which fetches the same
// modules once the shell is painted. start.js runs the script of the page's language first, if there is one, and the
// entry last. If the office offers only one language, the shell has no language menu.
func withShell(text, shell, language string, choice bool, modules []string) string {
	var entry string
	var common []string
	if language != "" {
		common = append(common, language)
	}
	text = scripts.ReplaceAllStringFunc(text, func(tag string) string {
		name := scripts.FindStringSubmatch(tag)[1]
		if strings.HasPrefix(tag, "<script") {
			entry = name
		} else {
			common = append(common, name)
		}
		return ""
	})
	// needs.json lists a module before those that it imports; the order is reversed, so that imports come first.
	for i := len(modules) - 1; i >= 0; i-- {
		common = append(common, modules[i])
	}
	starter := fmt.Sprintf("<script defer src=\"/start.js\" data-modules=\"%s\"></script>\n  </head>",
		html.EscapeString(strings.Join(append(common, entry), " ")))
	text = strings.Replace(text, "</head>", starter, 1)
	if !choice {
		shell = languageMenu.ReplaceAllString(shell, "")
	}
	// The shell is inert, because focus in it would be lost when the application replaces it.
	shown := `<div id="shell" inert aria-hidden="true">` + shell + "</div>"
	return strings.Replace(text, shellMark, shown, 1)
}

// filled replaces the placeholders in the shell (web/build/shells.ts) with the office's texts in a language.
func filled(shell string, o office.Document, language string) string {
	marks := []string{
		"tel:+0000000000", "tel:" + dialled(o.Phone),
		"+0000000000", html.EscapeString(o.Phone),
		"[[brand]]", html.EscapeString(o.Brand),
		"[[area]]", html.EscapeString(o.Area),
		"[[city]]", html.EscapeString(o.City),
		"[[clients]]", html.EscapeString(o.Claims.Clients),
		"[[years]]", html.EscapeString(o.Claims.Years),
		"[[support]]", html.EscapeString(o.Claims.Support),
	}
	for i := range 2 { // the two tickets of the page; if the office has one service, both show it
		var service office.Service
		if len(o.Services) > 0 {
			service = o.Services[min(i, len(o.Services)-1)]
		}
		n := strconv.Itoa(i)
		marks = append(marks,
			"[[service"+n+"]]", html.EscapeString(service.NameIn(language)),
			"[[minutes"+n+"]]", strconv.Itoa(service.EstMinutes))
	}
	return strings.NewReplacer(marks...).Replace(shell)
}

func dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || (r >= '0' && r <= '9') {
			return r
		}
		return -1
	}, phone)
}
