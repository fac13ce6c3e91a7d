// Package offline serves paired desks: a desk leases days for which it may issue tokens without network, and afterwards
// sends the visits that it has noted.
//
// Start with Desks.SendOffline. Desks.sendIn decides the result for a visit.
package offline

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/retention"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/papers"
	"baari.dev/services/visits/privacy"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/row"
	"baari.dev/services/visits/visit"
)

// A paired desk registers visitors while it has no network, with tokens of its own series. At each contact with the
// service it leases the days for which it may do so. Afterwards it sends the noted visits in order. Each visit is
// decided in its own transaction, and if it is sent again, it is found by its key.

var errDeviceRevoked = fault.New(fault.Forbidden, "device_revoked", "This desk is not paired. Please ask an admin.")

// Desks has the use cases of paired desks.
type Desks struct {
	store     *store
	outbox    *outbox.Outbox
	auth      *identity.Client
	directory *catalog.Directory
	papers    *papers.Papers
	privacy   *privacy.Privacy
	queue     *queue.Queue
	metrics   metrics
}

// New returns the use cases of paired desks. auth is the client of the service that knows the paired desks.
func New(
	db *row.DB, o *outbox.Outbox, auth *identity.Client, directory *catalog.Directory, papers *papers.Papers,
	privacy *privacy.Privacy, queue *queue.Queue, registry prometheus.Registerer,
) *Desks {
	return &Desks{
		store: &store{db}, outbox: o, auth: auth, directory: directory, papers: papers, privacy: privacy, queue: queue,
		metrics: newMetrics(registry),
	}
}

// Retention returns the task that deletes the records of which users were at paired desks.
func (d *Desks) Retention() []retention.Task {
	return []retention.Task{{Name: "desk_people", Erase: d.store.forgetDeskPeople}}
}

// leasedDays is the number of days, including today, for which a paired desk may issue tokens after a contact.
const leasedDays = 7

type deskDevice struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Series string `json:"series"`
}

// deskOf returns the paired desk with a device token. Errors: device_revoked, unavailable.
func (d *Desks) deskOf(ctx context.Context, token string) (deskDevice, error) {
	var got struct {
		Active bool `json:"active"`
		deskDevice
	}
	if token == "" {
		return got.deskDevice, errDeviceRevoked
	}
	asked := map[string]string{"token": token}
	status, err := d.auth.Call(ctx, http.MethodPost, "/internal/devices/desk", asked, &got)
	if err != nil || status != http.StatusOK {
		return got.deskDevice, fault.ErrUnavailable.Because(err)
	}
	if !got.Active {
		return got.deskDevice, errDeviceRevoked
	}
	return got.deskDevice, nil
}

// Lease grants a paired desk today and the following days. The stored time of the last contact changes only if the desk
// has no unsent visits, because no arrival before that time is accepted. Errors: those of deskOf.
func (d *Desks) Lease(ctx context.Context, req leaseDesk) (leaseAnswer, error) {
	desk, err := d.deskOf(ctx, req.token)
	if err != nil {
		return leaseAnswer{}, err
	}
	answer := leaseAnswer{Device: desk}
	err = postgres.InTx(ctx, d.store.Pool, func(tx pgx.Tx) (err error) {
		answer.Now, answer.Days, err = d.store.lease(ctx, tx, desk, req.Unsent)
		if err == nil {
			err = d.store.meet(ctx, tx, desk.ID, row.Actor(ctx))
		}
		if err == nil {
			answer.Erased, err = d.store.erasedLately(ctx, tx)
		}
		return err
	})
	return answer, postgres.Classify(err)
}

// The results for a visit that a paired desk sends.
const (
	sentCreated = "created"
	sentKnown   = "known"   // was sent before
	sentMerged  = "merged"  // registered online, but the response was lost: the visit has two tokens
	sentRefused = "refused" // not registered; the paired desk keeps it
)

// The codes of refused visits.
const (
	codeSeriesConflict = "series_conflict" // another visit has the number: copies of one disk are in use
	codeNumberAhead    = "number_ahead"    // the number is too far ahead of the known ones
	codeInvalid        = "validation"      // the form or the name of the service is invalid
)

// SendOffline registers the visits that a paired desk noted while it was offline. If the database fails after some
// visits, the response has only their results. Errors: those of deskOf, no_lease, and a wrong series.
func (d *Desks) SendOffline(ctx context.Context, req sendOffline) (sentAnswer, error) {
	took := prometheus.NewTimer(d.metrics.replays)
	desk, err := d.deskOf(ctx, req.token)
	if err == nil && desk.Series != req.Series {
		err = fault.Field("series", seriesWrong)
	}
	last := 0
	if err == nil {
		last, err = d.store.leased(ctx, desk, req.Day)
	}
	if err == nil {
		err = d.store.meet(ctx, d.store.Pool, desk.ID, row.Actor(ctx))
	}
	if err != nil {
		return sentAnswer{}, postgres.Classify(err)
	}
	answer, err := d.sendAll(ctx, desk, req, last)
	// After an error the response has the results so far, and the paired desk sends the other visits again.
	if len(answer.Done) == 0 && err != nil {
		return answer, postgres.Classify(row.APIError(err))
	}
	took.ObserveDuration()
	return answer, nil
}

// sendAll decides the visits of a paired desk in order until an error. last is the day's largest known number.
func (d *Desks) sendAll(
	ctx context.Context, desk deskDevice, req sendOffline, last int,
) (answer sentAnswer, err error) {
	for _, noted := range req.Visits {
		sent := sentVisit{Number: noted.Number, State: sentRefused, Code: codeNumberAhead}
		if noted.Number <= last+mostAhead {
			if sent, err = d.sendOne(ctx, desk, req.Day, noted); err != nil {
				return answer, err
			}
			last = max(last, noted.Number)
		}
		d.metrics.decided(desk.Series, sent)
		answer.Done = append(answer.Done, sent)
	}
	return answer, nil
}

func (d *Desks) sendOne(ctx context.Context, desk deskDevice, day string, noted offlineVisit) (sentVisit, error) {
	by := row.Actor(ctx)
	sent := sentVisit{Number: noted.Number}
	if noted.invalid {
		sent.State, sent.Code = sentRefused, codeInvalid
		return sent, d.store.refuse(ctx, desk.ID, day, noted.Number)
	}
	// A new service may be known to directory only. If directory does not respond, the visit gets the printed name.
	_ = d.directory.FetchService(ctx, noted.create.ServiceID)
	var found row.Snapshot
	var bounds offlineBounds
	send := func() error {
		return d.outbox.InTx(ctx, func(tx pgx.Tx) (err error) {
			sent.State, found, bounds, err = d.sendIn(ctx, tx, desk, day, noted)
			return err
		})
	}
	err := send()
	if postgres.Violates(err, "visits_offline_key") { // a desk of another series has sent the visit meanwhile
		err = send()
	}
	if errors.Is(err, queue.ErrSeriesConflict) {
		sent.State, sent.Code = sentRefused, codeSeriesConflict
		return sent, nil
	}
	switch {
	case err == nil && sent.State == sentCreated:
		d.metrics.heldBack(bounds.late)
		d.queue.CountRegistered(ctx, found)
	case err == nil:
		err = d.papers.NoteAgain(ctx, found.Visit.ID, noted.create.Documents)
	}
	if err == nil && noted.LeftAt != nil {
		found, err = d.queue.LeaveNoted(queue.Origin{Context: ctx, By: by}, found)
	}
	if err != nil {
		return sent, err
	}
	shown := row.BodyOf(found, by)
	sent.Visit = &shown
	return sent, nil
}

// sendIn decides one visit in a transaction. It locks the key of the registration, the series and the visit.
func (d *Desks) sendIn(
	ctx context.Context, tx pgx.Tx, desk deskDevice, day string, noted offlineVisit,
) (state string, found row.Snapshot, bounds offlineBounds, err error) {
	var stored queue.Answer
	answered, err := claimRegistration(ctx, tx, noted, &stored)
	if err != nil {
		return "", found, bounds, err
	}
	place, err := d.store.lockOffline(ctx, tx, desk.Series, day, noted)
	switch {
	case err != nil:
		return "", found, bounds, err
	case place.known != "":
		found, _, err = d.store.LockVisit(ctx, tx, place.known)
		return sentKnown, found, bounds, err
	case place.taken:
		return "", found, bounds, queue.ErrSeriesConflict
	}
	by := row.Actor(ctx)
	if answered && stored.Visit.Day == day { // the slip is only for the line of its day
		if err := d.store.keepOfflineKey(ctx, tx, stored.Visit.ID, noted.Key, by); err != nil {
			return "", found, bounds, err
		}
		found, err = d.queue.Merge(tx, queue.Origin{Context: ctx, By: by}, stored.Visit.ID, noted.token(desk.Series))
		return sentMerged, found, bounds, err
	}
	if bounds, err = d.store.boundsOf(ctx, tx, desk, day, noted); err != nil {
		return "", found, bounds, err
	}
	author, err := d.authorOf(ctx, tx, desk, noted)
	if err != nil {
		return "", found, bounds, err
	}
	res, err := d.queue.RegisterIn(tx, &queue.Registration{
		Origin: queue.Origin{Context: ctx, By: by}, Visit: noted.newVisit(desk, author, by),
		Documents: noted.create.Documents,
		Notice:    papers.Notice{Means: noted.create.ToldBy, Messages: noted.create.Messages},
		Noted:     noted.of(desk, day, bounds),
	})
	if err != nil {
		return "", found, bounds, err
	}
	found, err = d.privacy.EraseSent(ctx, tx, res.Snapshot, *res.Snapshot.Visit.ArrivedAt)
	return sentCreated, found, bounds, err
}

// of returns the values that the paired desk has noted, without those of the visitor.
func (o offlineVisit) of(desk deskDevice, day string, bounds offlineBounds) *queue.Noted {
	return &queue.Noted{
		Device: desk.ID, Series: desk.Series, Day: day, Number: o.Number, Key: o.Key, ServiceName: o.ServiceName,
		NoticeVersion: o.NoticeVersion, ArrivedAt: o.ArrivedAt, Earliest: bounds.earliest,
	}
}

// newVisit returns the visit to register. author used the paired desk; by is the user who sent the visit.
func (o offlineVisit) newVisit(desk deskDevice, author, by visit.Actor) visit.Visit {
	v := o.create.Visit(row.NewID(), author)
	v.Series, v.SentBy, v.SentByName = desk.Series, by.ID, by.Name
	return v
}

// offlineVisit is a visit in the form in which a paired desk has noted it.
type offlineVisit struct {
	Number        int
	Key           string // key of the registration, and its Idempotency-Key if it was tried online
	MadeBy        string // id of the user who registered the visitor
	ServiceName   string // name of the service on the printed slip
	NoticeVersion string
	ArrivedAt     time.Time
	LeftAt        *time.Time
	create        queue.Form
	invalid       bool // the form or the name of the service is invalid
}

// sentVisit is the decision about one visit.
type sentVisit struct {
	Number int       `json:"number"`
	State  string    `json:"state"`
	Code   string    `json:"code,omitzero"`
	Visit  *row.Body `json:"visit"`
}

type sentAnswer struct {
	Done []sentVisit `json:"done"`
}

// leaseAnswer has the paired desk, its leased days, the ids of erased visits and the time of the database.
type leaseAnswer struct {
	Device deskDevice  `json:"device"`
	Days   []leasedDay `json:"days"`
	Erased []string    `json:"erased"` // ids of recent visits that were erased; the paired desk must delete their data
	Now    wire.Time   `json:"now"`
}

// leasedDay is a leased day, with the largest known number of the desk's series on that day.
type leasedDay struct {
	Day  string `json:"day"`
	Last int    `json:"last"`
}

// validUUID returns the id in canonical form, or "" if text is no UUID.
func validUUID(text string) string {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		return ""
	}
	return id.String()
}
