package privacy

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"baari.dev/services/contract"
	"baari.dev/services/operate/breach"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/wire"
)

// The kit after a breach: report, persons, and drafts of letters to them and the Data Protection Board. None is sent.

// kitRoute returns the route of the kit. A report about a long period takes minutes, so the route has no time limit.
func (p *Privacy) kitRoute() endpoint.Route {
	return endpoint.Route{
		Method: http.MethodPost, Pattern: "/api/privacy/breach",
		Access: endpoint.Roles(contract.RoleAdmin).Fresh(contract.FreshSession), Limit: limit.Product,
		Handler: endpoint.Stream(p.answerKit),
	}
}

type kitRequest struct {
	privacy.Period
	What, Phone string
	Noticed     time.Time
}

// personsHeader is the header with the number of persons in the list.
const personsHeader = "Baari-Persons"

func (p *Privacy) answerKit(w http.ResponseWriter, r *http.Request) error {
	req, err := readKit(r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	brand, contact, err := p.store.office(ctx)
	if err != nil {
		return postgres.Classify(err)
	}
	packed, report, err := breach.Kit(ctx, p.servicesFor(ctx),
		breach.Question{From: req.From, To: req.To, Phone: req.Phone},
		breach.Incident{
			What: req.What, Noticed: req.Noticed.In(p.location()), Office: brand, Contact: contact,
		})
	if err != nil {
		return operated(err)
	}
	err = p.noteUse(ctx, contract.PrivacyBreachReported, contract.PrivacyUse{
		ID: uuid.Must(uuid.NewV7()).String(), From: req.From, To: req.To, Persons: report.Persons(),
	})
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Disposition", `attachment; filename="breach-`+req.From+"-"+req.To+`.zip"`)
	header.Set("Content-Length", strconv.Itoa(len(packed)))
	header.Set(personsHeader, strconv.Itoa(report.Persons()))
	_, err = w.Write(packed)
	return err
}

// location returns the office's time zone, whose name was checked at start.
func (p *Privacy) location() *time.Location {
	zone, err := time.LoadLocation(p.store.Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}

var (
	periodWrong  = fault.NewMessage(fault.CodeInvalidDate, "Please enter the days as YYYY-MM-DD")
	daysReversed = fault.NewMessage(fault.CodeInvalidDate, "Please enter a last day that is not before the first")
	whatEmpty    = fault.NewMessage(fault.CodeRequired, "Please enter what happened")
	noticedWrong = fault.NewMessage(fault.CodeInvalidDate, "Please enter when it was noticed")
)

func readKit(r *http.Request) (kitRequest, error) {
	var body struct {
		From    wire.Field[string]    `json:"from"`
		To      wire.Field[string]    `json:"to"`
		What    wire.Field[string]    `json:"what"`
		Noticed wire.Field[wire.Time] `json:"noticed_at"`
		Subject wire.Field[string]    `json:"subject"`
	}
	if err := wire.Read(r, &body); err != nil {
		return kitRequest{}, err
	}
	var rejected fault.Fields
	req := kitRequest{
		Period:  readPeriod(body.From, body.To, &rejected),
		What:    readRequestText("what", body.What, whatEmpty, &rejected),
		Noticed: time.Time(body.Noticed.Value),
	}
	if body.Noticed.Wrong || !body.Noticed.Present {
		rejected.Reject("noticed_at", noticedWrong)
	}
	if body.Subject.Present {
		if body.Subject.Wrong || !wire.IsPhone(body.Subject.Value) {
			rejected.Reject("subject", wire.PhoneWrong)
		}
		req.Phone = body.Subject.Value
	}
	return req, rejected.Err()
}

func readPeriod(from, to wire.Field[string], rejected *fault.Fields) privacy.Period {
	period := privacy.Period{From: from.Value, To: to.Value}
	isDay := func(day string) bool { return privacy.Period{From: day, To: day}.Check() == nil }
	switch {
	case from.Wrong || !isDay(from.Value):
		rejected.Reject("from", periodWrong)
	case to.Wrong || !isDay(to.Value):
		rejected.Reject("to", periodWrong)
	case slices.IsSorted([]string{from.Value, to.Value}):
	default:
		rejected.Reject("to", daysReversed)
	}
	return period
}
