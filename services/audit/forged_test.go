package audit

import (
	"encoding/json"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// The trail is written from the feeds only. A message on Redis does not become a record, even if the source has signed
// the message.
func TestAMessageOnRedisIsNoRecord(t *testing.T) {
	o := newOffice(t)
	auth := o.source(t, contract.SourceAuth)
	o.follow(t, auth)
	change := func(id string) outbox.Change {
		return outbox.Change{
			Type: contract.UserUpdated, Entity: contract.EntityUser, EntityID: testkit.ID(id), Version: 1,
			After: json.RawMessage(`{"role":"pa"}`),
		}
	}
	auth.Publish(t, change("asha"))
	o.caughtUp(t, auth)

	head := auth.Head(t)
	forgery, err := json.Marshal(outbox.Event{
		ID: "1", Source: contract.SourceAuth, Epoch: head.Epoch, Seq: head.Seq + 1, Type: contract.UserUpdated,
		Time: wire.Time(time.Now()), Subject: outbox.Subject{Entity: contract.EntityUser, ID: testkit.ID("intruder")},
		Version: 1, Before: []byte("null"), After: []byte(`{"role":"admin"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	channel := outbox.Channel(contract.SourceAuth)
	signed := outbox.Signed(testkit.Keys(contract.SourceAuth), channel, forgery)
	if err := o.redis.Client.Publish(t.Context(), channel, signed).Err(); err != nil {
		t.Fatal(err)
	}
	auth.Publish(t, change("ravi"))
	o.caughtUp(t, auth)
	for id, want := range map[string]int{"asha": 1, "intruder": 0, "ravi": 1} {
		var records int
		const count = `SELECT count(*) FROM audit_records WHERE entity_id = $1`
		if err := o.db.Pool.QueryRow(t.Context(), count, testkit.ID(id)).Scan(&records); err != nil || records != want {
			t.Errorf("%s has %d records, want %d, %v", id, records, want, err)
		}
	}
}
