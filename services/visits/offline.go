package visits

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

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
	var found snapshot
	var bounds offlineBounds
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
		sent.State, found, bounds, err = s.sendIn(ctx, tx, desk, day, noted)
		return err
	})
	if errors.Is(err, errSeriesConflict) {
		sent.State, sent.Code = sentRefused, codeSeriesConflict
		return sent, nil
	}
	switch {
	case err == nil && sent.State == sentCreated:
		s.metrics.heldBack(bounds.late)
		s.countRegistered(ctx, found)
	case err == nil:
		err = s.notePapers(ctx, found.Visit.ID, noted)
	}
	if err == nil && noted.LeftAt != nil {
		found, err = s.leaveNoted(Origin{Context: ctx, By: by}, found)
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
	ctx context.Context, tx pgx.Tx, desk deskDevice, day string, noted offlineVisit,
) (state string, found snapshot, bounds offlineBounds, err error) {
	var stored visitAnswer
	answered, err := claimRegistration(ctx, tx, noted, &stored)
	if err != nil {
		return "", found, bounds, err
	}
	place, err := s.store.lockOffline(ctx, tx, desk.Series, day, noted)
	switch {
	case err != nil:
		return "", found, bounds, err
	case place.known != "":
		found, _, err = s.store.lockVisit(ctx, tx, place.known)
		return sentKnown, found, bounds, err
	case place.taken:
		return "", found, bounds, errSeriesConflict
	}
	by := actor(ctx)
	if answered && stored.Visit.Day == day { // not across midnight: the slip is of another day's line
		if err := s.store.keepOfflineKey(ctx, tx, stored.Visit.ID, noted.Key, by); err != nil {
			return "", found, bounds, err
		}
		found, err = s.merge(tx, Origin{Context: ctx, By: by}, stored.Visit.ID, noted.token(desk.Series))
		return sentMerged, found, bounds, err
	}
	if bounds, err = s.store.boundsOf(ctx, tx, desk, day, noted); err != nil {
		return "", found, bounds, err
	}
	author, err := s.authorOf(ctx, tx, desk, noted)
	if err != nil {
		return "", found, bounds, err
	}
	res, err := s.registerIn(tx, &Registration{
		Origin: Origin{Context: ctx, By: by}, Visit: noted.newVisit(desk, author, by),
		Documents: noted.create.Documents,
		Notice:    noticeGiven{Means: noted.create.ToldBy, Messages: noted.create.Messages},
		Noted:     noted.of(desk, day, bounds),
	})
	if err != nil {
		return "", found, bounds, err
	}
	found, err = s.eraseSent(ctx, tx, res.Snapshot, *res.Snapshot.Visit.ArrivedAt)
	return sentCreated, found, bounds, err
}

// of returns what the desk has noted on a day beside the visitor.
func (o offlineVisit) of(desk deskDevice, day string, bounds offlineBounds) *Noted {
	return &Noted{
		Device: desk.ID, Series: desk.Series, Day: day, Number: o.Number, Key: o.Key, ServiceName: o.ServiceName,
		NoticeVersion: o.NoticeVersion, ArrivedAt: o.ArrivedAt, Earliest: bounds.earliest,
	}
}

// newVisit returns the visit to register: its author used the desk, and by has sent it.
func (o offlineVisit) newVisit(desk deskDevice, author, by visit.Actor) visit.Visit {
	v := o.create.newVisit(newID(), author)
	v.Series, v.SentBy, v.SentByName = desk.Series, by.ID, by.Name
	return v
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
