package privacy

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/contract/registry"
	"baari.dev/services/operate"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/wire"
)

// The reports of the page Privacy: the versions of the notice, the last night of retention, and which staff read
// personal data or made exports.

func (p *Privacy) reportRoutes() []endpoint.Route {
	access := endpoint.Roles(contract.RoleAdmin)
	return []endpoint.Route{
		{
			Method: http.MethodGet, Pattern: "/api/privacy/notices", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, p.Notices),
		},
		{
			Method: http.MethodGet, Pattern: "/api/privacy/retention", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, p.LastNight),
		},
		{
			Method: http.MethodGet, Pattern: "/api/privacy/uses", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readUses, p.Uses),
		},
	}
}

// noticeVersion is a version of the notice, and the visits that were registered under it.
type noticeVersion struct {
	Version string    `json:"version"`
	Visits  int       `json:"visits"`
	First   wire.Time `json:"first"`
	Last    wire.Time `json:"last"`
}

type noticesAnswer struct {
	Notices []noticeVersion `json:"notices"`
}

// Notices lists the versions of the notice under which the stored visits were registered, latest first.
func (p *Privacy) Notices(ctx context.Context, _ struct{}) (noticesAnswer, error) {
	all, err := p.store.noticeVersions(ctx)
	return noticesAnswer{all}, postgres.Classify(err)
}

// serviceNight is a service's record of its last night of retention. Night is nil without a record or a response.
type serviceNight struct {
	Service  string           `json:"service"`
	Answered bool             `json:"answered"`
	Night    *retention.Night `json:"night"`
}

type nightAnswer struct {
	Services []serviceNight `json:"services"`
}

// nightLimit bounds the wait for the response of each service.
const nightLimit = 2 * time.Second

// LastNight returns the last night of retention of each service, as the service has recorded it.
func (p *Privacy) LastNight(ctx context.Context, _ struct{}) (nightAnswer, error) {
	names := registry.Names()
	answers := make([]serviceNight, len(names))
	done := make(chan struct{}, len(names))
	services := p.servicesFor(ctx)
	for i, name := range names {
		go func() {
			answers[i] = nightOf(ctx, services, name)
			done <- struct{}{}
		}()
	}
	for range names {
		<-done
	}
	return nightAnswer{answers}, nil
}

func nightOf(ctx context.Context, services operate.Installation, name string) serviceNight {
	ctx, cancel := context.WithTimeout(ctx, nightLimit)
	defer cancel()
	var answer struct{ Night *retention.Night }
	err := services.Get(ctx, name, "/internal/retention", &answer)
	return serviceNight{name, err == nil, answer.Night}
}

// use counts how often a user read personal data or the audit trail, or made exports, with one call on one day.
type use struct {
	privacy.Use
	Name string `json:"name"` // "": not known
}

type usesAnswer struct {
	Uses []use `json:"uses"`
}

// Uses lists, by day, who read personal data or the audit trail, or made exports, according to the access logs and the
// audit trail. Reads by users who handle the visit do not count. Errors: unavailable if a service does not respond.
func (p *Privacy) Uses(ctx context.Context, period privacy.Period) (usesAnswer, error) {
	all, err := p.store.uses(ctx, period)
	if err != nil {
		return usesAnswer{}, postgres.Classify(err)
	}
	services := p.servicesFor(ctx)
	for _, service := range []string{contract.SourceDirectory, contract.SourceAudit} {
		var answer privacy.Uses
		if err := services.Call(ctx, service, "/internal/uses", period, &answer); err != nil {
			return usesAnswer{}, operated(err)
		}
		all = append(all, answer.Uses...)
	}
	names, err := namesOf(ctx, services, all)
	if err != nil {
		return usesAnswer{}, operated(err)
	}
	slices.SortStableFunc(all, func(a, b privacy.Use) int { return strings.Compare(b.Day, a.Day) })
	answer := usesAnswer{make([]use, len(all))}
	for i, one := range all {
		answer.Uses[i] = use{one, names[one.UserID]}
	}
	return answer, nil
}

// mostNames is the largest number of ids in one request to audit.
const mostNames = 1000

// namesOf returns the names of users by their ids, from the audit trail.
func namesOf(ctx context.Context, services operate.Installation, all []privacy.Use) (map[string]string, error) {
	names := map[string]string{}
	for _, one := range all {
		names[one.UserID] = ""
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(names)), mostNames) {
		var answer struct {
			People []struct{ ID, Name string }
		}
		body := map[string][]string{"ids": some}
		if err := services.Call(ctx, contract.SourceAudit, "/internal/people", body, &answer); err != nil {
			return nil, err
		}
		for _, person := range answer.People {
			names[person.ID] = person.Name
		}
	}
	return names, nil
}

// longestUses is the largest number of days of the report of uses.
const longestUses = 92

var usesLong = fault.NewMessage(fault.CodeInvalidDate, "Please choose at most 92 days").With("max", longestUses)

func readUses(r *http.Request) (privacy.Period, error) {
	query := r.URL.Query()
	field := func(name string) wire.Field[string] {
		return wire.Field[string]{Present: query.Has(name), Value: query.Get(name)}
	}
	var rejected fault.Fields
	period := readPeriod(field("from"), field("to"), &rejected)
	if err := rejected.Err(); err != nil {
		return period, err
	}
	from, _ := time.Parse(time.DateOnly, period.From)
	to, _ := time.Parse(time.DateOnly, period.To)
	if to.Sub(from) >= longestUses*24*time.Hour {
		rejected.Reject("to", usesLong)
	}
	return period, rejected.Err()
}
