package lobby

import (
	"net/http"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/lobby/message"
	"baari.dev/services/platform/testkit"
)

// stateOfMessages requests the state of the message channels as the administrator.
func (p *porch) stateOfMessages() (answer messagesAnswer) {
	p.t.Helper()
	w := p.contract.Call(p.t, p.table, "token-admin", http.MethodGet, "/api/lobby/messages", "")
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		p.t.Fatalf("it answered %d %s: %v", w.Code, w.Body, err)
	}
	return answer
}

// A sent message costs its price. Dropped messages and pushes cost nothing. The cost of a day is kept longer than the
// messages of the day.
func TestTheCostOfMessagesIsSummedByDayAndMonth(t *testing.T) {
	p := newPorch(t)
	atNoon(p)
	for range 2 {
		id := p.arrive()
		p.agrees(id, contract.ConsentGiven)
		p.subscribes(id)
		p.calls(id, "3")
		p.sends()
	}
	left := p.arrive()
	p.agrees(left, contract.ConsentGiven)
	p.calls(left, "3")
	p.agrees(left, contract.ConsentWithdrawn)
	p.sends()
	got := p.stateOfMessages().Costs
	if got == nil || len(got.Days) != 1 || got.Days[0].Sent != 2 || got.Days[0].Paise != 37 || len(got.Months) != 1 ||
		got.Months[0].Paise != 37 || got.Months[0].Period != got.Days[0].Period[:7] || got.Days[0].Channel != "sms" {
		t.Fatalf("the costs are %+v", got)
	}
	testkit.Exec(t, p.db.Owner(t), `DELETE FROM deliveries`)
	testkit.Exec(t, p.db.Owner(t), `INSERT INTO costs SELECT day - 32, channel, 10, 185050 FROM costs`)
	testkit.Exec(t, p.db.Owner(t), `INSERT INTO costs SELECT day - 401, channel, 10, 185050 FROM costs LIMIT 1`)
	if err := p.store.forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	got = p.stateOfMessages().Costs
	if len(got.Days) != 1 || len(got.Months) != 2 || got.Months[1].Paise != 1850.5 || got.Months[1].Sent != 10 {
		t.Errorf("later they are %+v", got)
	}
	var rows int
	if err := p.db.Pool.QueryRow(t.Context(), `SELECT count(*) FROM costs`).Scan(&rows); err != nil || rows != 2 {
		t.Errorf("%d days are kept: %v", rows, err)
	}
}

func TestWithoutAPriceThereAreNoCosts(t *testing.T) {
	p := newPorch(t)
	p.Service.options.Messages = message.Channels{}
	if got := p.stateOfMessages(); got.Costs != nil {
		t.Errorf("the costs are %+v", got.Costs)
	}
}
