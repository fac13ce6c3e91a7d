package audit

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// record is the part of an event that the trail stores: the changed fields, with phones masked.
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
	if actedForConsultant(event, after) {
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

// difference leaves of both objects the members that the other has not, or not the same.
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

// action is the event's kind without its entity; a visit's session is called started, as the API says.
func action(event outbox.Event) string {
	if event.Type == contract.VisitInSession {
		return "started"
	}
	return strings.TrimPrefix(event.Type, event.Subject.Entity+"_")
}

// hasPhone reports whether the entity's phone is a visitor's; the office's is on its door.
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

// mask leaves of a phone number the first and last two digits.
func mask(phone string) string {
	if len(phone) < 6 {
		return strings.Repeat("*", len(phone))
	}
	return phone[:2] + strings.Repeat("*", len(phone)-4) + phone[len(phone)-2:]
}

// actedForConsultant reports whether an admin started or completed the session of another consultant.
func actedForConsultant(event outbox.Event, after object) bool {
	if event.Type != contract.VisitInSession && event.Type != contract.VisitCompleted || event.Actor == nil || event.Actor.Role != contract.RoleAdmin {
		return false
	}
	var consultant string
	_ = json.Unmarshal(after["consultantId"], &consultant) // null: not assigned, so not to the admin
	return consultant != event.Actor.ID
}
