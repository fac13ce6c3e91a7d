// Package request reads the id, the client's address, the agent and the languages of an HTTP request, and passes them
// in its context. It finds the client's address behind a known number of proxies, and the key by which rate limits
// count the client. The gateway and every service use it, so that all limits count the same clients.
//
// Start with Read.
package request

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

// HeaderID is the header with the request id. The gateway sends it to every service, and in the response to the client.
const HeaderID = "X-Request-Id"

// Info describes one request.
type Info struct {
	ID      string
	Address string // the client's IP address, "" when unknown
	Agent   string // User-Agent

	languages languages // see Language
}

// ClientKey returns the key by which limits count the request's client: see the function ClientKey.
func (i Info) ClientKey() string { return ClientKeyOf(i.Address) }

type key struct{}

// With returns a context that carries info.
func With(ctx context.Context, info Info) context.Context { return context.WithValue(ctx, key{}, info) }

// From returns the info of ctx, the zero Info outside a request.
func From(ctx context.Context) Info {
	info, _ := ctx.Value(key{}).(Info)
	return info
}

// Read returns the Info of r. The address is the result of Client with the given number of proxies. A request id that
// is not 1 to 64 visible ASCII characters is replaced by a new one; the agent is cut to 512 bytes of valid UTF-8.
func Read(r *http.Request, proxies int) Info {
	id := r.Header.Get(HeaderID)
	if !validID(id) {
		id = uuid.Must(uuid.NewV7()).String()
	}
	info := Info{ID: id, Agent: agent(r.UserAgent()), languages: readLanguages(r)}
	if client := Client(r, proxies); client.IsValid() {
		info.Address = client.String()
	}
	return info
}

func agent(sent string) string {
	return strings.ToValidUTF8(sent[:min(len(sent), 512)], "")
}

func validID(id string) bool {
	if id == "" || len(id) > 64 {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}
