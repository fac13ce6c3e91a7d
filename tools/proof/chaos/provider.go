package chaos

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"baari.dev/tools/proof/checker"
)

// provider stands in for the provider of messages, and records the accepted messages of each phone. It answers as
// slowly as real providers, so that lobby may end between the sending of a message and its record. Of ten
// messages, on average, it rejects one, and accepts another one without an answer.
type provider struct {
	server   *http.Server
	listener net.Listener

	mu    sync.Mutex
	taken []taken
}

type taken struct {
	channel, kind, phone string
	at                   time.Time
}

// answerTime is the longest time until the provider answers.
const answerTime = 500 * time.Millisecond

// openProvider starts the provider on a free port of this machine.
func openProvider() (*provider, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the provider of messages: %w", err)
	}
	p := &provider{listener: listener}
	p.server = &http.Server{Handler: http.HandlerFunc(p.take), ReadHeaderTimeout: callLimit}
	go func() { _ = p.server.Serve(listener) }() // close ends it
	return p, nil
}

func (p *provider) close() { _ = p.server.Close() }

func (p *provider) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	words := strings.Fields(string(body))
	chance := rand.IntN(10)
	if err != nil || len(words) < 2 || chance == 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	p.mu.Lock()
	p.taken = append(p.taken, taken{strings.TrimPrefix(r.URL.Path, "/"), words[1], words[0], time.Now()})
	p.mu.Unlock()
	time.Sleep(rand.N(answerTime))
	if chance == 1 {
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(w, "taken")
}

func (p *provider) hasTaken(phone string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.taken, func(m taken) bool { return m.phone == phone })
}

// channels returns the configuration of lobby's channels, which use the provider. A template's id is its kind.
func (p *provider) channels() string {
	texts := map[string]any{}
	for _, kind := range []string{"near", "called"} {
		texts[kind] = map[string]any{"en": map[string]string{"id": kind, "text": "Token {#var#}: {#var#}"}}
	}
	for _, kind := range appointmentTemplates {
		texts[kind] = map[string]any{"en": map[string]string{"id": kind, "text": "{#var#}, {#var#}: {#url#}"}}
	}
	all := map[string]any{}
	for _, channel := range []string{"sms", "whatsapp"} {
		all[channel] = map[string]any{
			"adapter": "http", "url": fmt.Sprintf("http://%s/%s", p.listener.Addr(), channel), "type": "application/json",
			"body": "{to} {template} {text}", "success": "taken", "templates": texts,
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // maps of texts always marshal
	}
	return string(text)
}

// appointmentTemplates are the templates of messages about appointments, named appointment_ and the kind.
var appointmentTemplates = []string{
	"appointment_confirmed", "appointment_moved", "appointment_cancelled", "appointment_reminder",
}

// unjudged is how long messages are not checked after a wrong clock or a restore: a restored database of visits lacks
// calls, and a restored database of lobby lacks the record of messages.
const unjudged = 3*time.Minute + 15*time.Second

// messages returns the accepted messages for visits of this run, except unjudged ones and those to a shared phone.
func (r *run) messages(e *checker.Evidence) (all []checker.Message) {
	if r.provider == nil { // a run of Onlookers
		return nil
	}
	visitOf := map[string]string{}
	for _, row := range e.Feeds["visits"].Rows {
		phone, _ := row.After["phone"].(string)
		if row.Subject.Entity != "visit" || phone == "" {
			continue
		}
		if other, known := visitOf[phone]; known && other != row.Subject.ID {
			visitOf[phone] = ""
			continue
		}
		visitOf[phone] = row.Subject.ID
	}
	r.provider.mu.Lock()
	defer r.provider.mu.Unlock()
	for _, m := range r.provider.taken {
		at := int64(m.at.Sub(r.history.began))
		about := strings.HasPrefix(m.kind, "appointment_")
		if visit := visitOf[m.phone]; at >= 0 && visit != "" && !about && !r.isUnjudged(at) {
			all = append(all, checker.Message{Visit: visit, Channel: m.channel, Kind: m.kind, At: m.at})
		}
	}
	return all
}

// told returns the accepted messages about appointments of this run, except unjudged ones. Reminders are left out,
// because the two kinds have one template.
func (r *run) told(e *checker.Evidence) (all []checker.Told) {
	if r.provider == nil { // a run of Onlookers
		return nil
	}
	appointmentOf := map[string]string{}
	for _, row := range e.Feeds["directory"].Rows {
		if phone, _ := row.After["phone"].(string); row.Subject.Entity == "appointment" && phone != "" {
			appointmentOf[phone] = row.Subject.ID
		}
	}
	r.provider.mu.Lock()
	defer r.provider.mu.Unlock()
	for _, m := range r.provider.taken {
		kind, is := strings.CutPrefix(m.kind, "appointment_")
		at := int64(m.at.Sub(r.history.began))
		if id := appointmentOf[m.phone]; is && kind != "reminder" && id != "" && at >= 0 && !r.isUnjudged(at) {
			all = append(all, checker.Told{Appointment: id, Channel: m.channel, Kind: kind})
		}
	}
	return all
}

func (r *run) isUnjudged(at int64) bool {
	within := func(w checker.Window) bool { return at >= w.Start && at <= w.End+int64(unjudged) }
	return slices.ContainsFunc(r.undone, func(w checker.Window) bool {
		return (w.Source == "" || w.Source == "visits" || w.Source == "lobby") && within(w)
	}) || slices.ContainsFunc(r.windows, func(w checker.Window) bool { return w.Fault == "N17" && within(w) })
}
