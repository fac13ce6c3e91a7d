package lobby

import (
	"cmp"
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/message"
	"baari.dev/services/office"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// kept is the number of days for which a visit and its links are kept. For seven days, the page of an ended link says
// that the token is finished.
const kept = 8

// projected has the values of a visit that lobby stores.
type projected struct {
	ID            string
	Day           string // YYYY-MM-DD
	Token         string
	TokenAlso     string
	Version       int64
	Stage         string
	Counter       string
	ServiceID     string
	ServiceName   string
	Language      string
	HeldReason    string
	HeldUntil     *time.Time
	CreatedAt     time.Time
	CalledAt      *time.Time
	EndedAt       *time.Time
	LeftByVisitor bool
	Erased        bool
	Phone         []byte // encrypted; nil if messages are off, or the visit is over or erased
}

// FollowVisits returns the sink that projects the visits of the last days and makes their links.
func (s *Service) FollowVisits() feed.Sink {
	return &feed.Projection{
		Pool: s.store.pool, Source: contract.SourceVisits, ApplyAll: s.applyVisits, Empty: s.store.emptyVisits,
	}
}

// applyVisits applies events of visits. It stores only the last event of a visit, because each has the whole visit.
func (s *Service) applyVisits(ctx context.Context, tx pgx.Tx, events []outbox.Event) error {
	now, err := s.store.now(ctx, tx)
	if err != nil {
		return err
	}
	document, err := s.store.officeIn(ctx, tx)
	if err != nil {
		return err
	}
	oldest := s.store.oldestDay(now)
	latest := map[string]projected{}
	for _, event := range events {
		switch event.Subject.Entity {
		case contract.EntityConsent:
			if err := s.applyConsent(ctx, tx, event); err != nil {
				return err
			}
			continue
		case contract.EntityVisit:
		default:
			continue
		}
		var visit contract.Visit
		if err := json.Unmarshal(event.After, &visit); err != nil {
			return err
		}
		if visit.Day >= oldest {
			one := projectedOf(visit, event)
			if document.Messages == office.MessagesOn && one.EndedAt == nil && !one.Erased && visit.Phone != "" {
				one.Phone = s.store.box.Seal(visit.ID, []byte(visit.Phone))
			}
			latest[visit.ID] = one
		}
	}
	for _, visit := range latest {
		if err := s.store.keepVisit(ctx, tx, visit); err != nil {
			return err
		}
	}
	return s.queueCalls(ctx, tx, events, document)
}

// applyConsent applies a consent or its withdrawal. Only the purpose "messages" concerns lobby.
func (s *Service) applyConsent(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
	var consent contract.Consent
	if err := json.Unmarshal(event.After, &consent); err != nil {
		return err
	}
	if consent.Purpose != contract.PurposeMessages {
		return nil
	}
	return s.store.keepConsent(ctx, tx, consent.VisitID, event.Type == contract.ConsentGiven)
}

// stageOf has the stage for each status, for events of releases that did not publish the stage.
var stageOf = map[string]string{
	contract.StatusNew: contract.StageNew, contract.StatusApproved: contract.StageWaiting,
	contract.StatusInSession: contract.StageInSession, contract.StatusCompleted: contract.StageCompleted,
	contract.StatusDenied: contract.StageDenied,
}

func projectedOf(v contract.Visit, event outbox.Event) projected {
	v.Stage = cmp.Or(v.Stage, stageOf[v.Status])
	p := projected{
		ID: v.ID, Day: v.Day, Token: v.Token, TokenAlso: v.TokenAlso, Version: v.Version, Stage: v.Stage,
		Counter: v.Counter, ServiceID: v.ServiceID, ServiceName: v.ServiceName, Language: v.Language,
		HeldReason: v.HeldReason, CreatedAt: time.Time(v.CreatedAt), HeldUntil: (*time.Time)(v.HeldUntil),
		CalledAt: (*time.Time)(v.CalledAt), EndedAt: endedAt(v),
		Erased: event.Type == contract.VisitErased,
	}
	if event.Type == contract.VisitLeft && event.Actor != nil {
		p.LeftByVisitor = event.Actor.Role == roleVisitor
	}
	return p
}

// The roles of actors who are not users: roleVisitor is a visitor, roleSystem is visits itself.
const (
	roleVisitor = "visitor"
	roleSystem  = "system"
)

// bySystem reports whether visits has made a change by itself. A call that visits repeats by itself is only for the
// office's board, because the visitor already has the message of the first call.
func bySystem(event outbox.Event) bool { return event.Actor != nil && event.Actor.Role == roleSystem }

// callOf returns the delivery of a call, without its channel.
func callOf(event outbox.Event) (queued, error) {
	var v contract.Visit
	err := json.Unmarshal(event.After, &v)
	return queued{
		visitID: event.Subject.ID, kind: message.Called, callNo: event.Version, at: time.Time(event.Time),
		counter: &v.Counter, recalled: event.Type == contract.VisitRecalled,
	}, err
}

// endedAt returns the time at which a visit ended, nil for an open visit.
func endedAt(v contract.Visit) *time.Time {
	switch v.Stage {
	case contract.StageCompleted:
		return (*time.Time)(v.CompletedAt)
	case contract.StageDenied:
		return (*time.Time)(v.DecidedAt)
	case contract.StageLeft, contract.StageNoShow, contract.StageCancelled:
		return (*time.Time)(v.EndedAt)
	}
	return nil
}
