package attention

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"
	"time"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// Routes returns the route of the list.
func (a *Attention) Routes() []endpoint.Route {
	return []endpoint.Route{{
		Method: http.MethodGet, Pattern: "/api/visits/attention",
		Access: endpoint.Roles(readers...), Limit: limit.Product,
		Handler: endpoint.JSON(endpoint.Nothing, a.List),
	}}
}

// listAnswer is {"attention": […], "nextAt": …}. Clients request the list again at nextAt.
type listAnswer struct {
	Attention []entryBody `json:"attention"`
	NextAt    *wire.Time  `json:"nextAt"`
	at        feed.Position
}

// Headers implements kithttp.Headerer.
func (a listAnswer) Headers() http.Header { return row.FeedHeader(a.at) }

// entryBody is one entry. Dashboards read the list often, so fields that an entry's kind does not use are left out.
type entryBody struct {
	ID         string      `json:"id"`
	Kind       string      `json:"kind"`
	Since      wire.Time   `json:"since"`
	Visit      *visitBody  `json:"visit,omitzero"`
	Consultant *personBody `json:"consultant,omitzero"`
	Counter    string      `json:"counter,omitzero"`
	Values     valuesBody  `json:"values"`
	Actions    []string    `json:"actions"`
}

type visitBody struct {
	ID        string `json:"id"`
	Token     string `json:"token"`
	TokenAlso string `json:"tokenAlso,omitzero"`
	Name      string `json:"name"`
	Service   string `json:"service"`
	Stage     string `json:"stage"`
	Version   int64  `json:"version"`
}

type personBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// valuesBody has the values that are inserted into the sentence that a client shows for an entry.
type valuesBody struct {
	Calls    int               `json:"calls,omitzero"`
	BySystem bool              `json:"bySystem,omitzero"` // the service has made the last call
	Paper    *row.MissingPaper `json:"paper,omitzero"`    // the first missing paper
	More     int               `json:"more,omitzero"`     // number of the other missing papers
	Service  string            `json:"service,omitzero"`  // an appointment's service
	Desk     string            `json:"desk,omitzero"`     // state of a desk that is not open
}

// bodyFor returns the entry with the actions that a role may take now.
func (f finding) bodyFor(role string, now time.Time) entryBody {
	body := entryBody{
		ID: f.id(), Kind: f.kind, Since: wire.Time(f.since), Visit: bodyOf(f.visit), Consultant: f.consultant,
		Counter: f.counter, Values: f.values, Actions: []string{},
	}
	for _, a := range f.actions {
		if !a.from.After(now) && slices.Contains(a.roles, role) {
			body.Actions = append(body.Actions, a.name)
		}
	}
	return body
}

// id returns a short id, the same in all replicas while the entry is listed. For an unanswered call it includes the
// field since, because each call from the line is a new entry. In other entries, this field may change.
func (f finding) id() string {
	sum := fnv.New64a()
	_, _ = fmt.Fprint(sum, f.kind, f.subject) // a hash never fails
	if f.kind == callUnanswered {
		_, _ = fmt.Fprint(sum, f.since.UnixMilli())
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}

func bodyOf(v *visit.Visit) *visitBody {
	if v == nil {
		return nil
	}
	return &visitBody{
		ID: v.ID, Token: v.Token(), TokenAlso: v.TokenAlso, Name: v.Name, Service: v.ServiceName, Stage: string(v.Stage),
		Version: v.Version,
	}
}
