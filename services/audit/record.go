package audit

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// record is an event with the values that the trail stores: the changed fields, with phones masked.
type record struct {
	event    outbox.Event
	action   string
	old, new []byte // JSON objects, nil for none
}

type object = map[string]jsontext.Value

func recordOf(event outbox.Event) (record, error) {
	var before, after object
	if err := decodeObjects(event, &before, &after); err != nil {
		return record{}, err
	}
	old, new := difference(before, after)
	if hasPhone(event.Subject.Entity) {
		maskPhone(old)
		maskPhone(new)
	}
	if actedForConsultant(event, before, after) {
		new["override"] = jsontext.Value("true")
	}
	r := record{event: event, action: action(event)}
	var err error
	if r.old, err = encodeObject(old); err != nil {
		return r, err
	}
	r.new, err = encodeObject(new)
	return r, err
}

func decodeObjects(event outbox.Event, before, after *object) error {
	if len(event.Before) > 0 {
		if err := json.Unmarshal(event.Before, before); err != nil {
			return err
		}
	}
	if len(event.After) > 0 {
		return json.Unmarshal(event.After, after)
	}
	return nil
}

// difference returns the members of each object that are absent from the other object or have another value there.
func difference(before, after object) (old, new object) {
	old, new = object{}, object{}
	for key, value := range before {
		if !bytes.Equal(value, after[key]) {
			old[key] = value
		}
	}
	for key, value := range after {
		if !bytes.Equal(value, before[key]) {
			new[key] = value
		}
	}
	return old, new
}

func encodeObject(o object) ([]byte, error) {
	if len(o) == 0 {
		return nil, nil
	}
	return json.Marshal(o, json.Deterministic(true))
}

// action returns the event's kind without its entity. The action of visit_in_session is "started", as api.yaml defines.
func action(event outbox.Event) string {
	if event.Type == contract.VisitInSession {
		return "started"
	}
	return strings.TrimPrefix(event.Type, event.Subject.Entity+"_")
}

// hasPhone reports whether a phone number in an event about the entity is a visitor's. The office's number is public.
func hasPhone(entity string) bool {
	return entity == contract.EntityVisit || entity == contract.EntityAppointment
}

const phoneKey = "phone"

func maskPhone(o object) {
	var phone string
	if value, has := o[phoneKey]; has && json.Unmarshal(value, &phone) == nil {
		o[phoneKey] = jsontext.Value(`"` + mask(phone) + `"`)
	}
}

// mask replaces all characters of a phone number except the first two and the last two. A text of fewer than six
// characters is replaced completely.
func mask(phone string) string {
	if len(phone) < 6 {
		return strings.Repeat("*", len(phone))
	}
	return phone[:2] + strings.Repeat("*", len(phone)-4) + phone[len(phone)-2:]
}

// consultantsOwn are the changes that consultants make for their own visitors.
var consultantsOwn = []string{
	contract.VisitInSession, contract.VisitCompleted, contract.VisitCalled, contract.VisitMissed, contract.VisitHeld,
	contract.VisitTransferred,
}

// actedForConsultant reports whether an admin made a change of consultantsOwn for another consultant's visitor.
func actedForConsultant(event outbox.Event, before, after object) bool {
	own := slices.Contains(consultantsOwn, event.Type)
	if !own || event.Actor == nil || event.Actor.Role != contract.RoleAdmin {
		return false
	}
	state := after
	if event.Type == contract.VisitTransferred {
		state = before // the consultant before the transfer
	}
	var consultant string
	if json.Unmarshal(state["consultantId"], &consultant) != nil || consultant == "" {
		return false
	}
	return consultant != event.Actor.ID
}

// actorOf returns the actor to store. For a visitor who requests an appointment, it omits the IP address: the chain
// covers the actor, so the address could never be erased.
func actorOf(event outbox.Event) outbox.Actor {
	if event.Actor == nil {
		return outbox.Actor{}
	}
	actor := *event.Actor
	if actor.ID == "" && event.Subject.Entity == contract.EntityAppointment {
		actor.IP = ""
	}
	return actor
}

// link returns the row of the record that follows head, in the order of recordColumns, and the new head.
func (r record) link(key chain.Key, head chain.Head) ([]any, chain.Head) {
	e, actor := r.event, actorOf(r.event)
	c := covered{
		Source: e.Source, Epoch: e.Epoch, Seq: e.Seq, EventID: e.ID,
		Entity: e.Subject.Entity, EntityID: e.Subject.ID, Action: r.action,
		ActorID: actor.ID, ActorName: actor.Name, ActorEmail: actor.Email, ActorRole: actor.Role, IP: actor.IP,
		RequestID: e.RequestID, Version: e.Version, CreatedAt: time.Time(e.Time),
	}
	old, new := key.Values(r.old), key.Values(r.new)
	next := key.Next(head, c.fields(), old, new)
	return []any{
		next.N, c.Source, c.Epoch, c.Seq, c.EventID, c.Entity, c.EntityID, c.Action,
		c.ActorID, c.ActorName, c.ActorEmail, c.ActorRole, c.IP, c.RequestID, c.Version, c.CreatedAt,
		r.old, r.new, old[:], new[:], head.Digest[:], next.Digest[:],
	}, next
}

// covered is the part of a record that the chain covers directly, without its values.
type covered struct {
	Source, Epoch                             string
	Seq                                       int64
	EventID, Entity, EntityID, Action         string
	ActorID, ActorName, ActorEmail, ActorRole string
	IP, RequestID                             string
	Version                                   int64
	CreatedAt                                 time.Time
}

// fields returns the texts that the digest covers. Their order is part of the chain and must not change.
func (c covered) fields() []string {
	return []string{
		c.Source, c.Epoch, strconv.FormatInt(c.Seq, 10), c.EventID, c.Entity, c.EntityID, c.Action,
		c.ActorID, c.ActorName, c.ActorEmail, c.ActorRole, c.IP, c.RequestID, strconv.FormatInt(c.Version, 10),
		strconv.FormatInt(c.CreatedAt.UnixMicro(), 10),
	}
}
