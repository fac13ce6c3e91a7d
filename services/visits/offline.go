package visits

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// A paired desk registers visitors while it has no network, with tokens of its own series. At each contact it leases
// the days for which it may do so. Afterwards it sends what it has noted, in order: each visit is decided alone, in a
// transaction of its own, and a repetition finds it by its key.

var (
	errDeviceRevoked = fault.New(fault.Forbidden, "device_revoked", "This desk is not paired. Please ask an admin.")
	errNoLease       = fault.New(
		fault.Unprocessable, "no_lease", "This desk had no permission to give out tokens on that day.",
	)
)

// leasedDays is for how many days a desk may give out tokens of its own, today included.
const leasedDays = 7

// deskDevice is a paired desk.
type deskDevice struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Series string `json:"series"`
}

// OfflineDesks sets the client of auth, which knows the paired desks.
func (s *Service) OfflineDesks(auth *identity.Client) { s.auth = auth }

// deskOf returns the paired desk of a device token. Errors: device_revoked, unavailable.
func (s *Service) deskOf(ctx context.Context, token string) (deskDevice, error) {
	var got struct {
		Active bool `json:"active"`
		deskDevice
	}
	if token == "" {
		return got.deskDevice, errDeviceRevoked
	}
	if s.auth == nil {
		return got.deskDevice, fault.ErrUnavailable
	}
	asked := map[string]string{"token": token}
	status, err := s.auth.Call(ctx, http.MethodPost, "/internal/devices/desk", asked, &got)
	if err != nil || status != http.StatusOK {
		return got.deskDevice, fault.ErrUnavailable.Because(err)
	}
	if !got.Active {
		return got.deskDevice, errDeviceRevoked
	}
	return got.deskDevice, nil
}

// Lease grants a desk today and the next days. The last contact moves only while the desk has nothing to send: it is
// the earliest arrival that is believed. Errors: those of deskOf.
func (s *Service) Lease(ctx context.Context, req leaseDesk) (leaseAnswer, error) {
	desk, err := s.deskOf(ctx, req.token)
	if err != nil {
		return leaseAnswer{}, err
	}
	answer := leaseAnswer{Device: desk}
	err = postgres.InTx(ctx, s.store.pool, func(tx pgx.Tx) (err error) {
		answer.Now, answer.Days, err = s.store.lease(ctx, tx, desk, req.Unsent)
		if err == nil {
			err = s.store.meet(ctx, tx, desk.ID, actor(ctx))
		}
		if err == nil {
			answer.Erased, err = s.store.erasedLately(ctx, tx)
		}
		return err
	})
	return answer, postgres.Classify(err)
}

// The states of a visit that a desk has sent.
const (
	sentCreated = "created"
	sentKnown   = "known"   // was sent before
	sentMerged  = "merged"  // its registration had succeeded, without an answer: the visit has two tokens
	sentRefused = "refused" // the desk keeps it
)

// The codes of refused visits.
const (
	codeSeriesConflict = "series_conflict" // the number is another visit's: two desks have the same disk
	codeNumberAhead    = "number_ahead"    // the number does not follow those that are known
	codeInvalid        = "validation"      // what a person has typed is not valid
)

// SendOffline registers what a desk has noted while it was offline. If the connection to the database fails in between,
// the answer has the visits until then. Errors: those of deskOf, no_lease.
func (s *Service) SendOffline(ctx context.Context, req sendOffline) (sentAnswer, error) {
	took := prometheus.NewTimer(s.metrics.replays)
	desk, err := s.deskOf(ctx, req.token)
	if err == nil && desk.Series != req.Series {
		err = fault.Field("series", seriesWrong)
	}
	last := 0
	if err == nil {
		last, err = s.store.leased(ctx, desk, req.Day)
	}
	if err == nil {
		err = s.store.meet(ctx, s.store.pool, desk.ID, actor(ctx))
	}
	if err != nil {
		return sentAnswer{}, postgres.Classify(err)
	}
	answer, err := s.sendAll(ctx, desk, req, last)
	// What was decided before an error is answered, and the desk sends the rest again.
	if len(answer.Done) == 0 && err != nil {
		return answer, postgres.Classify(apiError(err))
	}
	took.ObserveDuration()
	return answer, nil
}

// sendAll decides the visits of a desk until an error. last is the greatest number that is known of the day.
func (s *Service) sendAll(
	ctx context.Context, desk deskDevice, req sendOffline, last int,
) (answer sentAnswer, err error) {
	for _, noted := range req.Visits {
		sent := sentVisit{Number: noted.Number, State: sentRefused, Code: codeNumberAhead}
		if noted.Number <= last+mostAhead {
			if sent, err = s.sendOne(ctx, desk, req.Day, noted); err != nil {
				return answer, err
			}
			last = max(last, noted.Number)
		}
		s.metrics.offline(desk.Series, sent)
		answer.Done = append(answer.Done, sent)
	}
	return answer, nil
}

// sendOne decides one visit of a desk.
func (s *Service) sendOne(ctx context.Context, desk deskDevice, day string, noted offlineVisit) (sentVisit, error) {
	by := actor(ctx)
	sent := sentVisit{Number: noted.Number}
	if noted.invalid {
		sent.State, sent.Code = sentRefused, codeInvalid
		return sent, s.store.refuse(ctx, desk.ID, day, noted.Number)
	}
	// A service that only directory knows yet; without an answer the visit has the name that was printed.
	_ = s.directory.fetchService(ctx, noted.create.ServiceID)
	facts := offlineFacts{deskDevice: desk, Day: day, offlineVisit: noted}
	var found snapshot
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		sent.State, found, err = s.sendIn(ctx, tx, &facts)
		return err
	})
	if errors.Is(err, errSeriesConflict) {
		sent.State, sent.Code = sentRefused, codeSeriesConflict
		return sent, nil
	}
	switch {
	case err == nil && sent.State == sentCreated:
		s.metrics.heldBack(facts.late)
		s.metrics.changed(ctx, result{snapshot: found, changed: true}, visit.Create)
	case err == nil:
		err = s.notePapers(ctx, found.Visit.ID, noted)
	}
	if err == nil && noted.LeftAt != nil {
		found, err = s.leaveOffline(ctx, by, found)
	}
	if err != nil {
		return sent, err
	}
	shown := bodyOf(found, by)
	sent.Visit = &shown
	return sent, nil
}

// errSeriesConflict is returned for a number that is another visit's.
var errSeriesConflict = errors.New("the number of the series is another visit's")

// sendIn decides one visit in a transaction. The locks are the key of the registration, the series and the visit.
func (s *Service) sendIn(
	ctx context.Context, tx pgx.Tx, facts *offlineFacts,
) (state string, found snapshot, err error) {
	desk, day, noted := facts.deskDevice, facts.Day, facts.offlineVisit
	var stored visitAnswer
	answered, err := claimRegistration(ctx, tx, noted, &stored)
	if err != nil {
		return "", found, err
	}
	place, err := s.store.lockOffline(ctx, tx, desk.Series, day, noted)
	switch {
	case err != nil:
		return "", found, err
	case place.known != "":
		found, _, err = s.store.lockVisit(ctx, tx, place.known)
		return sentKnown, found, err
	case place.taken:
		return "", found, errSeriesConflict
	}
	by := actor(ctx)
	if answered && stored.Visit.Day == day { // not across midnight: the slip is of another day's line
		if err := s.store.keepOfflineKey(ctx, tx, stored.Visit.ID, noted.Key, by); err != nil {
			return "", found, err
		}
		found, err = s.merge(ctx, tx, &command{ctx: ctx, by: by, id: stored.Visit.ID, offline: facts})
		return sentMerged, found, err
	}
	if facts.offlineBounds, err = s.store.boundsOf(ctx, tx, desk, day, noted); err != nil {
		return "", found, err
	}
	author, err := s.authorOf(ctx, tx, desk, noted)
	if err != nil {
		return "", found, err
	}
	c := registration(ctx, by, noted.newVisit(desk, author, by), zeroKey)
	c.documents, c.offline = noted.create.Documents, facts
	c.notice = noticeGiven{means: noted.create.ToldBy, messages: noted.create.Messages}
	if found, err = s.register(ctx, tx, c); err != nil {
		return "", found, err
	}
	found, err = s.eraseSent(ctx, tx, found, *found.Visit.ArrivedAt)
	return sentCreated, found, err
}

// newVisit returns the visit to register: its author used the desk, and by has sent it.
func (o offlineVisit) newVisit(desk deskDevice, author, by visit.Actor) visit.Visit {
	v := o.create.newVisit(newID(), author)
	v.Series, v.SentBy, v.SentByName = desk.Series, by.ID, by.Name
	return v
}

// register registers an offline visit. A service that is not offered any more keeps the name that was printed.
func (s *Service) register(ctx context.Context, tx pgx.Tx, c *command) (snapshot, error) {
	have, err := s.store.lock(ctx, tx, []*command{c})
	if err != nil {
		return snapshot{}, err
	}
	p := &planned{command: c, after: *c.newVisit, event: visit.Created}
	name, offered := have.services[c.newVisit.ServiceID]
	p.after.ServiceName, p.after.ServiceGone = cmp.Or(name, c.offline.ServiceName), !offered
	return s.applyOne(ctx, tx, p)
}

// merge gives the visit of a registration that was not answered the token of the desk, too.
func (s *Service) merge(ctx context.Context, tx pgx.Tx, c *command) (snapshot, error) {
	found, exists, err := s.store.lockVisit(ctx, tx, c.id)
	if err != nil || !exists {
		return found, cmp.Or(err, errNoVisit)
	}
	after := found.Visit
	after.TokenAlso = visit.Token(c.offline.Series, c.offline.Number)
	after.Version, after.UpdatedAt = after.Version+1, found.At.Clock
	return s.applyOne(ctx, tx, &planned{command: c, before: &found, after: after, event: contract.VisitMerged})
}

// applyOne writes one planned change.
func (s *Service) applyOne(ctx context.Context, tx pgx.Tx, p *planned) (snapshot, error) {
	outcomes := make([]outcome[result], 1)
	if err := s.apply(ctx, tx, []*planned{p}, outcomes); err != nil {
		return snapshot{}, err
	}
	return outcomes[0].result.snapshot, outcomes[0].err
}

// notePapers stores the papers that a desk has noted since it sent the visit first. Those that were changed meanwhile
// stay, those of an erased visit stay empty, and what the rules refuse is left out.
func (s *Service) notePapers(ctx context.Context, visitID string, noted offlineVisit) error {
	if noted.create.Documents == nil {
		return nil
	}
	known, err := s.Documents(ctx, visitID)
	if err != nil || known.Version > 1 {
		return err
	}
	all := slices.Clone(noted.create.Documents)
	for i := range all {
		if i >= len(known.Documents) {
			all[i].No = 0 // of a new paper; the desk's are numbered from 1, as those of a registration
		}
	}
	_, err = s.ChangeDocuments(ctx, changeDocuments{visitID, all, &known.Version})
	var refused *fault.Fault
	if errors.As(err, &refused) && refused.Kind != fault.Unavailable {
		return nil
	}
	return err
}

// leaveOffline records that the visitor has left, unless the visit went on meanwhile.
func (s *Service) leaveOffline(ctx context.Context, by visit.Actor, found snapshot) (snapshot, error) {
	if found.Visit.Stage != visit.StageNew {
		return found, nil
	}
	c := &command{ctx: ctx, by: by, id: found.Visit.ID, want: visit.Request{Action: visit.Leave}}
	res, err := s.do(c, nil)
	if err != nil {
		var illegal *visit.ActionError
		if errors.As(err, &illegal) {
			return found, nil
		}
		return found, err
	}
	return res.snapshot, nil
}

// offlineVisit is a visit as a desk has noted it.
type offlineVisit struct {
	Number        int
	Key           string // of the registration: also the Idempotency-Key of the one that was not answered
	MadeBy        string // id of the user
	ServiceName   string // as it was printed
	NoticeVersion string
	ArrivedAt     time.Time
	LeftAt        *time.Time
	create        createVisit
	invalid       bool // a field that the person has typed is not valid
}

// offlineFacts is what a command for an offline visit has beside the visit.
type offlineFacts struct {
	deskDevice
	offlineVisit
	offlineBounds
	Day string
}

// sentVisit is the decision about one visit.
type sentVisit struct {
	Number int        `json:"number"`
	State  string     `json:"state"`
	Code   string     `json:"code,omitzero"`
	Visit  *visitBody `json:"visit"`
}

// sentAnswer is {"done": […]}.
type sentAnswer struct {
	Done []sentVisit `json:"done"`
}

// leaseAnswer has the desk, the days it has leased, what was erased and the time of the database.
type leaseAnswer struct {
	Device deskDevice  `json:"device"`
	Days   []leasedDay `json:"days"`
	Erased []string    `json:"erased"` // visits of the last days whose data the desk deletes, too
	Now    wire.Time   `json:"now"`
}

// leasedDay is a day and the last number of the desk's series that is known of it.
type leasedDay struct {
	Day  string `json:"day"`
	Last int    `json:"last"`
}

// validUUID returns the id in its usual form, "" for another text.
func validUUID(text string) string {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		return ""
	}
	return id.String()
}
