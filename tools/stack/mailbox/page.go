package mailbox

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
)

//go:embed page.html
var pageHTML string

var page = template.Must(template.New("page").Parse(pageHTML))

// handler serves the list of messages as a page, and as JSON for tests.
func (b *Box) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", b.list)              //nolint:forbidigo // a developer's tool, not a service
	mux.HandleFunc("GET /messages", b.messagesJSON) //nolint:forbidigo // a developer's tool, not a service
	return mux
}

// list shows the newest message first. The page's policy and sandboxed frames block scripts, forms and remote pictures.
func (b *Box) list(w http.ResponseWriter, r *http.Request) {
	messages := b.Messages(r.FormValue("to"))
	slices.Reverse(messages)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set(
		"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; img-src data:",
	)
	_ = page.Execute(w, messages) // fails only if the client has closed the connection
}

func (b *Box) messagesJSON(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(b.Messages(r.FormValue("to"))) // fails only if the client has closed the connection
}
