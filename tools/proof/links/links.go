// Package links puts proxies between programs. They disconnect, delay or slow connections. Start reading at Links.
package links

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"baari.dev/tools/stack"
)

// Link is a connection from one program to another. The names are those in processes.json.
type Link struct{ From, To string }

func (l Link) String() string { return l.From + " to " + l.To }

// Links are the proxies of a run, inside this program.
type Links struct {
	server  *toxiproxy.ApiServer
	wanted  []Link
	proxies map[Link]*toxiproxy.Proxy
}

// New returns proxies for the given links. A proxy starts when Stand is first called for its link.
func New(wanted ...Link) *Links {
	zerolog.SetGlobalLevel(zerolog.Disabled) // toxiproxy logs every closed connection
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	return &Links{server: server, wanted: wanted, proxies: map[Link]*toxiproxy.Proxy{}}
}

// Stand returns the address of a link's proxy, or the given address if the link has none. It implements stack.Link.
func (l *Links) Stand(from, to, address string) (string, error) {
	at := Link{from, to}
	if !slices.Contains(l.wanted, at) {
		return address, nil
	}
	if l.proxies[at] != nil {
		return l.proxies[at].Listen, nil
	}
	ports, err := stack.FreePorts(1)
	if err != nil {
		return "", err
	}
	proxy := toxiproxy.NewProxy(l.server, at.String(), net.JoinHostPort("127.0.0.1", strconv.Itoa(ports[0])), address)
	if err := proxy.Start(); err != nil {
		return "", fmt.Errorf("proxy from %s: %w", at, err)
	}
	l.proxies[at] = proxy
	return proxy.Listen, nil
}

// Cut closes every connection of a link and rejects new ones.
func (l *Links) Cut(at Link) { l.proxies[at].Stop() }

// Mend makes a link that Cut has closed accept connections again.
func (l *Links) Mend(at Link) error {
	if err := l.proxies[at].Start(); err != nil && !errors.Is(err, toxiproxy.ErrProxyAlreadyStarted) {
		return fmt.Errorf("mend %s: %w", at, err)
	}
	return nil
}

// toxic is toxiproxy's description of one kind of disturbance.
type toxic struct {
	Name       string         `json:"name"`
	Type       string         `json:"type"`
	Stream     string         `json:"stream"` // downstream or upstream
	Toxicity   float32        `json:"toxicity"`
	Attributes map[string]any `json:"attributes"`
}

// The two directions of a link: downstream to the client, upstream to the server.
const (
	downstream = "downstream"
	upstream   = "upstream"
)

// Poison adds a toxic to the responses of a link until Cure or Renew. kind and attributes are those of toxiproxy.
func (l *Links) Poison(at Link, kind string, attributes map[string]any) error {
	return l.poison(at, toxic{Name: kind, Type: kind, Stream: downstream, Attributes: attributes})
}

// Delay delays the requests of a link until EndDelay or Renew.
func (l *Links) Delay(at Link, attributes map[string]any) error {
	return l.poison(at, toxic{Name: "delay", Type: "latency", Stream: upstream, Attributes: attributes})
}

// EndDelay ends Delay.
func (l *Links) EndDelay(ctx context.Context, at Link) error { return l.Cure(ctx, at, "delay") }

func (l *Links) poison(at Link, t toxic) error {
	t.Toxicity = 1 // the toxic applies to all connections
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if _, err := l.proxies[at].Toxics.AddToxicJson(strings.NewReader(string(text))); err != nil {
		return fmt.Errorf("disturb %s: %w", at, err)
	}
	return nil
}

// Cure removes one kind of toxic and keeps the connections. It returns an error if that takes longer than cureLimit.
func (l *Links) Cure(ctx context.Context, at Link, kind string) error {
	done := make(chan error, 1)
	go func() { done <- l.proxies[at].Toxics.RemoveToxic(ctx, kind) }()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("cure %s: %w", at, err)
		}
		return nil
	case <-time.After(cureLimit):
		return fmt.Errorf("cure %s: %s is not removed after %s", at, kind, cureLimit)
	}
}

const cureLimit = 30 * time.Second

// Renew replaces a proxy that has toxics, which closes the link's connections. A toxic that holds bytes for a closed
// connection cannot be removed otherwise: toxiproxy 2.5.0 waits for the reader while it holds its lock.
func (l *Links) Renew(at Link) error {
	old := l.proxies[at]
	old.Stop()
	proxy := toxiproxy.NewProxy(l.server, at.String(), old.Listen, old.Upstream)
	if err := proxy.Start(); err != nil {
		return fmt.Errorf("renew %s: %w", at, err)
	}
	l.proxies[at] = proxy
	return nil
}

// Close stops every proxy.
func (l *Links) Close() {
	for _, proxy := range l.proxies {
		proxy.Stop()
	}
}
