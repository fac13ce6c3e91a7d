package webserver

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"baari.dev/services/platform/office"
)

// shellsPath is where the build leaves what the public pages show before their scripts are there, by path.
const shellsPath = "/shells.json"

// shellMark is where it goes.
const shellMark = "<!-- shell -->"

// scripts are the tags by which the built index.html loads the application.
var scripts = regexp.MustCompile(`<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"[^>]*>(?:</script>)?`)

// withShell puts the shell of a page into it. The page's scripts, those of index.html and the modules that its screen needs,
// are left to start.js then, which fetches them once the shell is on the screen, and runs the entry as the last.
func withShell(text, shell string, document office.Document, modules []string) string {
	var entry string
	var common []string
	text = scripts.ReplaceAllStringFunc(text, func(tag string) string {
		name := scripts.FindStringSubmatch(tag)[1]
		if strings.HasPrefix(tag, "<script") {
			entry = name
		} else {
			common = append(common, name)
		}
		return ""
	})
	// A module's own modules stand behind it.
	for i := len(modules) - 1; i >= 0; i-- {
		common = append(common, modules[i])
	}
	starter := fmt.Sprintf("<script defer src=\"/start.js\" data-modules=\"%s\"></script>\n  </head>", html.EscapeString(strings.Join(append(common, entry), " ")))
	text = strings.Replace(text, "</head>", starter, 1)
	// A picture only: a focus in it would be lost when the page takes its place.
	return strings.Replace(text, shellMark, `<div id="shell" inert aria-hidden="true">`+filled(shell, document)+"</div>", 1)
}

// filled puts the office into the marks that the build has drawn the shell with (web/build/shells.ts).
func filled(shell string, o office.Document) string {
	marks := []string{
		"tel:+0000000000", "tel:" + dialled(o.Phone), "+0000000000", html.EscapeString(o.Phone),
		"[[brand]]", html.EscapeString(o.Brand), "[[area]]", html.EscapeString(o.Area), "[[city]]", html.EscapeString(o.City),
		"[[clients]]", html.EscapeString(o.Claims.Clients), "[[years]]", html.EscapeString(o.Claims.Years), "[[support]]", html.EscapeString(o.Claims.Support),
	}
	for i := range 2 { // the tickets; an office with one service has it on both
		var service office.Service
		if len(o.Services) > 0 {
			service = o.Services[min(i, len(o.Services)-1)]
		}
		n := strconv.Itoa(i)
		marks = append(marks, "[[service"+n+"]]", html.EscapeString(service.Name), "[[minutes"+n+"]]", strconv.Itoa(service.EstMinutes))
	}
	return strings.NewReplacer(marks...).Replace(shell)
}

// dialled is a phone number without what is for readers only.
func dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || (r >= '0' && r <= '9') {
			return r
		}
		return -1
	}, phone)
}
