package row

import (
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// Body is a visit in the form in which one role sees it.
type Body struct {
	ID                   string     `json:"id"`
	Token                string     `json:"token"`
	Day                  string     `json:"day"`
	Name                 string     `json:"name"`
	Phone                string     `json:"phone"`
	Service              Service    `json:"service"`
	Language             string     `json:"language"`
	Status               string     `json:"status"`
	CreatedAt            wire.Time  `json:"createdAt"`
	UpdatedAt            wire.Time  `json:"updatedAt"`
	DecidedAt            *wire.Time `json:"decidedAt"`
	StartedAt            *wire.Time `json:"startedAt"`
	CompletedAt          *wire.Time `json:"completedAt"`
	AssignedConsultant   *string    `json:"assignedConsultant"`
	AssignedConsultantID *string    `json:"assignedConsultantId"`
	Notes                string     `json:"notes"`
	ReceptionNotes       string     `json:"receptionNotes"`
	PANotes              string     `json:"paNotes"`
	SessionNotes         string     `json:"sessionNotes"`
	WaitTime             int        `json:"waitTime"`
	SessionDuration      *int       `json:"sessionDuration"`
	Version              int64      `json:"version"`
	Queue                queueBody  `json:"queue"`

	Documents *Papers      `json:"documents"`
	TokenAlso string       `json:"tokenAlso,omitzero"` // a second token, given while a paired desk was offline
	Offline   *offlineBody `json:"offline,omitzero"`
}

// offlineBody has the additional values of a visit that a paired desk registered while offline.
type offlineBody struct {
	ArrivedAt wire.Time `json:"arrivedAt"`
	// The last token number of series T at the arrival. Lists place the visit after that token.
	After int `json:"after"`
	// Whether the service was no longer offered when the visit was sent.
	ServiceGone bool `json:"serviceGone"`
}

func offlineOf(v visit.Visit) *offlineBody {
	if v.ArrivedAt == nil || v.AfterNo == nil {
		return nil
	}
	return &offlineBody{ArrivedAt: wire.Time(*v.ArrivedAt), After: *v.AfterNo, ServiceGone: v.ServiceGone}
}

// Service is a service as it is shown.
type Service struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// BodyOf returns a visit in the form in which a user sees it.
func BodyOf(s Snapshot, by visit.Actor) Body {
	v, at := s.Visit, s.At
	return Body{
		ID:                   v.ID,
		Token:                v.Token(),
		Day:                  v.Day,
		Name:                 v.Name,
		Phone:                v.PhoneFor(by.Role, at.Today),
		Service:              Service{ID: v.ServiceID, Name: v.ServiceName},
		Language:             v.Language,
		Status:               string(v.Status),
		CreatedAt:            wire.Time(v.CreatedAt),
		UpdatedAt:            wire.Time(v.UpdatedAt),
		DecidedAt:            wire.TimeOf(v.DecidedAt),
		StartedAt:            wire.TimeOf(v.StartedAt),
		CompletedAt:          wire.TimeOf(v.CompletedAt),
		AssignedConsultant:   v.ConsultantName,
		AssignedConsultantID: v.ConsultantID,
		Notes:                v.Notes(),
		ReceptionNotes:       v.ReceptionNotes,
		PANotes:              v.PANotes,
		SessionNotes:         v.SessionNotes,
		WaitTime:             v.WaitMinutes(at.Now),
		SessionDuration:      v.SessionMinutes(),
		Version:              v.Version,
		Queue:                queueOf(s, by),
		Documents:            s.Documents,
		TokenAlso:            v.TokenAlso,
		Offline:              offlineOf(v),
	}
}

// Papers is the summary of a visit's papers in lists. It is also stored.
type Papers struct {
	Missing []MissingPaper `json:"missing"`
	Left    int            `json:"left"` // number of papers that the office keeps
}

// MissingPaper is a required paper that the visitor has not brought.
type MissingPaper struct {
	Key   *string `json:"key"`
	Label string  `json:"label"`
}

// Forecast is the forecast of a visitor's call. From and To are null if no desk could call; Note says so.
type Forecast struct {
	From   *wire.Time `json:"from"`
	To     *wire.Time `json:"to"`
	Likely *wire.Time `json:"likely"`
	Early  bool       `json:"early"`
	Note   *string    `json:"note"`
	Sooner *int       `json:"sooner"`
	MadeAt wire.Time  `json:"madeAt"`
}

// FeedHeader returns the header with the feed position at which a response was read.
func FeedHeader(at feed.Position) http.Header {
	return http.Header{feed.HeaderSeq: {PositionHeader(at)}}
}

// PositionHeader returns the value of the header for a feed position.
func PositionHeader(at feed.Position) string { return at.Header(contract.SourceVisits) }

// FeedHeaderOf returns the headers of a response that can be replayed.
func FeedHeaderOf(position string, replayed bool) http.Header {
	header := http.Header{feed.HeaderSeq: {position}}
	if replayed {
		header.Set(idempotency.HeaderReplayed, "true")
	}
	return header
}

// queueBody has values of a visit beyond services/docs/spec-items.tsv, such as its stage and its place in the line.
type queueBody struct {
	Stage              string     `json:"stage"`
	Class              string     `json:"class"`
	AppointmentAt      *wire.Time `json:"appointmentAt"`
	RankAt             wire.Time  `json:"rankAt"`
	DueAt              *wire.Time `json:"dueAt"`
	Pinned             bool       `json:"pinned"`
	Counter            *string    `json:"counter"`
	CalledAt           *wire.Time `json:"calledAt"`
	CallCount          int        `json:"callCount"`
	Bypassed           int        `json:"bypassed"`
	PassedByHand       int        `json:"passedByHand"`
	Held               *heldBody  `json:"held"`
	EndedAt            *wire.Time `json:"endedAt"`
	Transfers          int        `json:"transfers"`
	Sittings           int        `json:"sittings"`
	SatSince           *wire.Time `json:"satSince"`
	SessionSeconds     int        `json:"sessionSeconds"`
	CorrectedAt        *wire.Time `json:"correctedAt"`
	Call               *callBody  `json:"call"` // times that follow from a call; nil unless the visitor is called
	Undo               *undoBody  `json:"undo"`
	RegisteredByCaller bool       `json:"registeredByCaller"`
	// The forecast of the call; null in the response to a change.
	Forecast *Forecast `json:"forecast"`
	AskedFor *AskedFor `json:"askedFor"` // the consultant of the appointment; nil: none
}

// AskedFor is the consultant for whom an appointment was booked. The visit is not pinned to the consultant.
type AskedFor struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type heldBody struct {
	Reason string     `json:"reason"`
	Note   *string    `json:"note"`
	Until  *wire.Time `json:"until"`
}

type undoBody struct {
	Action string    `json:"action"`
	Until  wire.Time `json:"until"`
	By     string    `json:"by"`
}

// queueOf returns the queueBody of a visit for a user.
func queueOf(s Snapshot, by visit.Actor) queueBody {
	v := s.Visit
	return queueBody{
		Stage:          string(v.Stage),
		Class:          v.Class,
		AppointmentAt:  wire.TimeOf(v.AppointmentAt),
		RankAt:         wire.Time(v.RankAt),
		DueAt:          wire.TimeOf(v.DueAt),
		Pinned:         v.Pinned,
		Counter:        wire.TextOf(v.Counter),
		CalledAt:       wire.TimeOf(v.CalledAt),
		CallCount:      v.CallCount,
		Bypassed:       v.Bypassed,
		PassedByHand:   v.PassedByHand,
		Held:           heldOf(s, by),
		EndedAt:        wire.TimeOf(v.EndedAt),
		Transfers:      v.Transfers,
		Sittings:       v.Sittings,
		SatSince:       wire.TimeOf(v.SatSince),
		SessionSeconds: v.SessionSecs,
		CorrectedAt:    wire.TimeOf(v.CorrectedAt),
		Call:           callOf(s),
		Undo:           undoOf(s, by),
		Forecast:       s.Forecast,
		AskedFor:       s.AskedFor,

		RegisteredByCaller: v.CreatedBy == by.ID,
	}
}

// heldOf returns the hold of a visit, nil if there is none. Only users who see the unmasked phone get the note.
func heldOf(s Snapshot, by visit.Actor) *heldBody {
	v := s.Visit
	if v.Stage != visit.StageHeld {
		return nil
	}
	held := &heldBody{Reason: v.HeldReason, Until: wire.TimeOf(v.HeldUntil)}
	if v.WholeFor(by.Role, s.At.Today) {
		held.Note = &v.HeldNote
	}
	return held
}

func undoOf(s Snapshot, by visit.Actor) *undoBody {
	action, until, ok := s.Last.Undoable(by, s.At.Clock)
	if !ok {
		return nil
	}
	return &undoBody{Action: string(action), Until: wire.Time(until), By: s.Last.Name}
}
