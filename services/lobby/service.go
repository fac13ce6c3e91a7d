// Package lobby is the service for visitors: the links on their slips and the pages that these open. It projects visits
// and the office, asks the service visits for the places in line, and sends visitors' actions to it.
//
// Start with package link for the rules of a link and package page for the page. Then read service.go for the use
// cases, arrivals.go for requests for a token, deliver.go for messages, http_page.go, http_join.go and http.go for the
// routes, store.go for SQL, project_visits.go and project_directory.go for what is followed, and places.go for the
// places in line.
package lobby

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/link"
	"baari.dev/services/lobby/message"
	"baari.dev/services/lobby/page"
	"baari.dev/services/lobby/push"
	"baari.dev/services/lobby/seal"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/mail"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// Options are the settings of the service.
type Options struct {
	Key  []byte // key for the codes of links and the encryption of personal data
	Base string // public address of the product
	Zone *time.Location

	Push     *push.Sender
	Messages message.Channels

	Mailer    mail.Mailer      // nil: clients are sent no mail about their appointments
	Directory *identity.Client // the service directory, which has the appointments
}

// Service has the use cases.
type Service struct {
	store   *store
	outbox  *outbox.Outbox
	visits  *identity.Client
	places  *places
	limiter *limit.Limiter
	options Options
	origin  string // scheme and host of Options.Base
	metrics metrics
	log     *slog.Logger

	deliverer *deliverer
}

// New returns a service over pool. visits is the client of the service visits; limiter is nil if LIMITS is off.
func New(
	pool *pgxpool.Pool, o *outbox.Outbox, visits *identity.Client, limiter *limit.Limiter, options Options,
	log *slog.Logger,
) *Service {
	s := &Service{
		store:   &store{pool: pool, key: options.Key, box: seal.New(options.Key), zone: options.Zone},
		outbox:  o,
		visits:  visits,
		places:  newPlaces(visits),
		limiter: limiter,
		options: options,
		origin:  originOf(options.Base),
		log:     log,
		metrics: newMetrics(slices.Collect(maps.Keys(options.Messages.Senders))...),
	}
	s.deliverer = &deliverer{
		store: s.store, outbox: o, senders: options.Messages.Senders, push: options.Push, options: options,
		metrics: s.metrics, log: log, fails: map[string]map[string]bool{}, paused: map[string]time.Time{},
	}
	return s
}

func originOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return ""
	}
	return parsed.Scheme + "://" + parsed.Host
}

// errRebuilding is returned while the projection lacks the visit of a link, for example after a restore.
var errRebuilding = fault.ErrUnavailable

// found is a link with its visit and the office.
type found struct {
	now        time.Time // the database's time
	visitID    string
	generation int
	opens      int
	replaced   bool
	visit      projected
	lateUsed   bool
	backAt     *time.Time // time at which the visitor announced the return

	asked, wrongDigits int // privacy requests, and tries with other digits than those of the phone

	office  officeCopy
	service serviceCopy
}

func (f found) ends(zone *time.Location) time.Time {
	closes := f.office.closing(f.visit.Day, zone)
	if f.visit.CreatedAt.After(closes) { // registered after closing time
		closes = f.visit.CreatedAt
	}
	return link.Ends(closes, f.visit.EndedAt)
}

// state returns the state of a link at the time of the read. Links that were replaced, or whose visit is erased, have
// ended.
func (f found) state(zone *time.Location) link.State {
	state := link.At(f.now, f.ends(zone))
	if state == link.Open && (f.replaced || f.visit.Erased) {
		return link.Gone
	}
	return state
}

func (s *Service) view(ctx context.Context, code string, f found, language string) page.View {
	v := f.visit
	facts := page.Facts{
		Token: v.Token, TokenAlso: v.TokenAlso, Stage: v.Stage, Service: f.service.in(language, v.ServiceName),
		Counter: v.Counter, CalledAt: v.CalledAt, EndedAt: v.EndedAt, HeldReason: v.HeldReason, HeldUntil: v.HeldUntil,
		LeftByVisitor: v.LeftByVisitor, LateUsed: f.lateUsed, BackAsked: f.backAsked(),
	}
	line := s.places.read(ctx)
	if place, known := line.of[f.visitID]; known {
		facts.Ahead = place.Ahead
		if place.Forecast != nil {
			facts.From, facts.To = (*time.Time)(place.Forecast.From), (*time.Time)(place.Forecast.To)
			facts.Early = place.Forecast.Early
		}
	}
	for _, call := range line.now {
		facts.Now = append(facts.Now, page.Call{Token: call.Token, Counter: call.Counter})
	}
	return page.View{
		Code: code, Language: language, Offered: f.office.offered(), Office: f.office.Brand, Phone: f.office.Phone,
		Zone: s.options.Zone, Facts: facts, At: f.now,
	}
}

// visitorRequest is the body of a request that sends a visitor's action to visits.
type visitorRequest struct {
	Action  string `json:"action"`
	Minutes int    `json:"minutes,omitzero"`
	From    string `json:"from"` // digest of the visitor's address
}

// act sends a visitor's action to visits, and waits a second at most until the page shows the result. An action that
// the rules no longer allow changes nothing, and the page shows the current state.
func (s *Service) act(ctx context.Context, f found, req visitorRequest) error {
	if req.Action == actionLate {
		first, err := s.store.takeLate(ctx, f.visitID)
		if err != nil || !first {
			return postgres.Classify(err)
		}
	}
	req.From = s.sender(ctx)
	var done struct {
		Version int64 `json:"version"`
		Changed bool  `json:"changed"`
	}
	status, err := s.visits.Call(ctx, http.MethodPost, "/internal/visits/"+f.visitID+"/visitor", req, &done)
	refused := err == nil && status/100 == 4
	if req.Action == actionLate && (err != nil || status/100 != 2) {
		// Undoing takeLate is right even if only the response was lost, because visits recognises a repetition.
		if err := s.store.returnLate(context.WithoutCancel(ctx), f.visitID); err != nil {
			return postgres.Classify(err)
		}
	}
	switch {
	case refused:
		s.metrics.acted(req.Action, "refused")
		return nil
	case err != nil:
		s.metrics.acted(req.Action, "failed")
		return fault.ErrUnavailable.Because(err)
	case status/100 != 2:
		s.metrics.acted(req.Action, "failed")
		return fault.ErrUnavailable
	}
	s.metrics.acted(req.Action, map[bool]string{true: "done", false: "repeated"}[done.Changed])
	s.places.forget()
	_, err = soon(ctx, func() (bool, error) { return s.store.shows(ctx, f.visitID, done.Version) })
	return postgres.Classify(err)
}

// patience is the longest wait for an event from visits. A test raises it.
var patience = time.Second

const lookAgain = 25 * time.Millisecond

// soon calls check until check returns true or an error, for at most patience.
func soon(ctx context.Context, check func() (bool, error)) (holds bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(lookAgain)
	defer ticker.Stop()
	for {
		if holds, err = check(); holds || err != nil {
			return holds, err
		}
		select {
		case <-ctx.Done():
			return false, nil
		case <-ticker.C:
		}
	}
}

// Link returns the link of a visit and publishes who has read the link. Without a link, or if the link has ended, it
// returns fault.ErrNotFound.
func (s *Service) Link(ctx context.Context, visitID string) (linkAnswer, error) {
	f, err := s.current(ctx, visitID)
	if err != nil {
		return linkAnswer{}, err
	}
	answer, err := s.answerOf(ctx, f)
	if err != nil {
		return linkAnswer{}, err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		return outbox.Append(ctx, tx, linkShown(visitID, f.visit.Token))
	})
	if err != nil {
		return linkAnswer{}, postgres.Classify(err)
	}
	return answer, nil
}

// current returns the link of a visit, even if the event of a new visit arrives a moment later.
func (s *Service) current(ctx context.Context, visitID string) (f found, err error) {
	known, err := soon(ctx, func() (known bool, err error) {
		f, err = s.store.ofVisit(ctx, visitID)
		if errors.Is(err, fault.ErrNotFound) {
			return false, nil
		}
		return err == nil, err
	})
	switch {
	case err != nil:
		return f, postgres.Classify(err)
	case !known:
		return f, fault.ErrNotFound
	}
	return f, nil
}

// Replace ends the link of a visit and returns a new link. A second call within ten seconds returns this new link
// again. The errors are those of Link.
func (s *Service) Replace(ctx context.Context, visitID string) (madeLink, error) {
	f, err := s.current(ctx, visitID)
	if err == nil {
		_, err = s.answerOf(ctx, f)
	}
	if err != nil {
		return madeLink{}, err
	}
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		var added bool
		if f.generation, added, err = s.store.replace(ctx, tx, visitID); err != nil || !added {
			return err
		}
		f.opens = 0
		return outbox.Append(ctx, tx, linkReplaced(visitID, f.visit.Token))
	})
	if err != nil {
		return madeLink{}, postgres.Classify(err)
	}
	answer, err := s.answerOf(ctx, f)
	return madeLink{answer}, err
}

// answerOf returns the link for staff. The address is in capitals, because its QR code is then smaller.
func (s *Service) answerOf(ctx context.Context, f found) (linkAnswer, error) {
	if f.visit.ID == "" {
		return linkAnswer{}, errRebuilding
	}
	if f.state(s.options.Zone) != link.Open {
		return linkAnswer{}, fault.ErrNotFound
	}
	told, err := s.store.told(ctx, f.visitID)
	if err != nil {
		return linkAnswer{}, postgres.Classify(err)
	}
	code := link.Code(s.options.Key, f.visitID, f.generation)
	return linkAnswer{linkBody{
		URL: strings.ToUpper(strings.TrimSuffix(s.options.Base, "/")) + "/Q/" + code, Opens: f.opens, Told: told,
		Expires: wire.Time(f.ends(s.options.Zone)),
	}}, nil
}

// chosen returns the first of the wanted languages that the office offers, or the office's default if it offers none.
func (o officeCopy) chosen(wanted ...string) string {
	offered := o.offered()
	for _, language := range wanted {
		if slices.Contains(offered, language) {
			return language
		}
	}
	return offered[0]
}

// offered returns the languages that the office offers and the page has, the default first; English if there is none.
func (o officeCopy) offered() []string {
	languages := slices.DeleteFunc(slices.Clone(o.Languages), func(language string) bool { return !page.Has(language) })
	if len(languages) == 0 {
		return []string{page.English}
	}
	return languages
}

// in returns the service's name in a language, otherwise Name or, if Name is empty, nameInVisit.
func (c serviceCopy) in(language, nameInVisit string) string {
	if text := c.Texts[language]; text.Name != "" {
		return text.Name
	}
	if c.Name != "" {
		return c.Name
	}
	return nameInVisit
}

type serviceCopy struct {
	Name  string
	Texts map[string]contract.ServiceText
}
