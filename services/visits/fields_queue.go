package visits

import (
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// queueBody is the part of a visit that the specification does not have: its stage and its place in the line.
type queueBody struct {
	Stage          string     `json:"stage"`
	Class          string     `json:"class"`
	AppointmentAt  *wire.Time `json:"appointmentAt"`
	RankAt         wire.Time  `json:"rankAt"`
	DueAt          *wire.Time `json:"dueAt"`
	Pinned         bool       `json:"pinned"`
	Counter        *string    `json:"counter"`
	CalledAt       *wire.Time `json:"calledAt"`
	CallCount      int        `json:"callCount"`
	Bypassed       int        `json:"bypassed"`
	PassedByHand   int        `json:"passedByHand"`
	Held           *heldBody  `json:"held"`
	EndedAt        *wire.Time `json:"endedAt"`
	Transfers      int        `json:"transfers"`
	Sittings       int        `json:"sittings"`
	SatSince       *wire.Time `json:"satSince"`
	SessionSeconds int        `json:"sessionSeconds"`
	CorrectedAt    *wire.Time `json:"correctedAt"`
	Undo           *undoBody  `json:"undo"`
	// Whether the caller registered the visitor.
	RegisteredByCaller bool `json:"registeredByCaller"`
	// When the visitor will be called; null in the answer to a change.
	Forecast *forecastBody `json:"forecast"`
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

// queueOf returns the stage and the place of a visit as they are shown to a user.
func queueOf(s snapshot, by visit.Actor) queueBody {
	v := s.Visit
	return queueBody{
		Stage:          string(v.Stage),
		Class:          v.Class,
		AppointmentAt:  wire.TimeOf(v.AppointmentAt),
		RankAt:         wire.Time(v.RankAt),
		DueAt:          wire.TimeOf(v.DueAt),
		Pinned:         v.Pinned,
		Counter:        orNil(v.Counter),
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
		Undo:           undoOf(s, by),
		Forecast:       s.Forecast,

		RegisteredByCaller: v.CreatedBy == by.ID,
	}
}

// heldOf returns why a visit is on hold; the note is for those who see the phone.
func heldOf(s snapshot, by visit.Actor) *heldBody {
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

func undoOf(s snapshot, by visit.Actor) *undoBody {
	action, until, ok := s.Last.Undoable(by, s.At.Clock)
	if !ok {
		return nil
	}
	return &undoBody{Action: string(action), Until: wire.Time(until), By: s.Last.Name}
}

func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
