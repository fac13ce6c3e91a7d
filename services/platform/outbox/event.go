package outbox

import (
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/wire"
)

// Actor is the user, visitor or service that made a change. ID is empty for a caller that is not signed in.
type Actor struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`
	Role  string `json:"role"`
	IP    string `json:"ip"`
}

// Subject is the entity that changed.
type Subject struct {
	Entity string `json:"entity"`
	ID     string `json:"id"`
}

// Event is a committed change in the form in which consumers read it.
type Event struct {
	ID          string         `json:"id"`
	Source      string         `json:"source"`
	Epoch       string         `json:"epoch"`
	Seq         int64          `json:"seq"`
	Type        string         `json:"type"`
	Time        wire.Time      `json:"time"`
	RequestID   string         `json:"request_id"`
	Actor       *Actor         `json:"actor"`
	Subject     Subject        `json:"subject"`
	Version     int64          `json:"version"`
	Before      jsontext.Value `json:"before"`
	After       jsontext.Value `json:"after"`
	Traceparent string         `json:"traceparent"`
}

// Channel is the Redis channel on which a source's events are published.
func Channel(source string) string { return "baari:events:" + source }

// eventColumns are the columns of an event after its epoch, in the order of scan.
const eventColumns = `seq, type, entity, entity_id, version, actor, before, after, request_id, traceparent, created_at`

func (o *Outbox) scan(row pgx.CollectableRow) (Event, error) {
	e := Event{Source: o.source}
	var actor []byte
	var before, after []byte
	var at time.Time
	err := row.Scan(&e.ID, &e.Epoch, &e.Seq, &e.Type, &e.Subject.Entity, &e.Subject.ID, &e.Version,
		&actor, &before, &after, &e.RequestID, &e.Traceparent, &at)
	if err != nil {
		return e, err
	}
	if actor != nil {
		e.Actor = &Actor{}
		if err := json.Unmarshal(actor, e.Actor); err != nil {
			return e, err
		}
	}
	e.Before, e.After, e.Time = orNull(before), orNull(after), wire.Time(at)
	return e, nil
}

func orNull(data []byte) []byte {
	if data == nil {
		return []byte("null")
	}
	return data
}
