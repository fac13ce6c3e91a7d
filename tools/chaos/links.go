package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"baari.dev/tools/stack"
)

// link is the way from one program to another, with a proxy on it that can hurt.
type link struct{ from, to string }

func (l link) String() string { return l.from + " to " + l.to }

// The links that faults act on.
var (
	visitsToPostgres  = link{"visits", "postgres"}
	realtimeToRedis   = link{"realtime", "redis"}
	realtimeToVisits  = link{"realtime", "visits"}
	gatewayToRealtime = link{"gateway", "realtime"}
)

// links are the proxies of a run, inside the harness.
type links struct {
	server  *toxiproxy.ApiServer
	proxies map[link]*toxiproxy.Proxy
}

func newLinks() *links {
	zerolog.SetGlobalLevel(zerolog.Disabled) // its proxies tell of every cut connection
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(prometheus.NewRegistry()), zerolog.Nop())
	return &links{server: server, proxies: map[link]*toxiproxy.Proxy{}}
}

// stand puts a proxy on each link that faults act on; the other programs reach each other directly. It is the stack's Link.
func (l *links) stand(from, to, address string) (string, error) {
	at := link{from, to}
	switch at {
	case visitsToPostgres, realtimeToRedis, realtimeToVisits, gatewayToRealtime:
	default:
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

// cut breaks every connection of a link and lets no new one come about.
func (l *links) cut(at link) { l.proxies[at].Stop() }

// mend lets connections come about again.
func (l *links) mend(at link) error {
	if err := l.proxies[at].Start(); err != nil && !errors.Is(err, toxiproxy.ErrProxyAlreadyStarted) {
		return fmt.Errorf("mend %s: %w", at, err)
	}
	return nil
}

// toxic is one way of hurting a link, in toxiproxy's words.
type toxic struct {
	Name       string         `json:"name"`
	Type       string         `json:"type"`
	Stream     string         `json:"stream"` // downstream: towards the one who asked
	Toxicity   float32        `json:"toxicity"`
	Attributes map[string]any `json:"attributes"`
}

const downstream = "downstream"

// poison hurts a link until cure.
func (l *links) poison(at link, kind string, attributes map[string]any) error {
	text, err := json.Marshal(toxic{Name: kind, Type: kind, Stream: downstream, Toxicity: 1, Attributes: attributes})
	if err != nil {
		return err
	}
	if _, err := l.proxies[at].Toxics.AddToxicJson(strings.NewReader(string(text))); err != nil {
		return fmt.Errorf("hurt %s: %w", at, err)
	}
	return nil
}

func (l *links) cure(ctx context.Context, at link, kind string) error {
	if err := l.proxies[at].Toxics.RemoveToxic(ctx, kind); err != nil {
		return fmt.Errorf("cure %s: %w", at, err)
	}
	return nil
}

func (l *links) close() {
	for _, proxy := range l.proxies {
		proxy.Stop()
	}
}
