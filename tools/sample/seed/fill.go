package seed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/tools/sample/client"
	"baari.dev/tools/sample/staff"
)

// Target is the running system to fill.
type Target struct {
	URL      string               // address of the gateway
	Office   operate.Installation // addresses and keys of the internal API
	Accounts []client.Account     // one or more accounts of each role
}

// ErrDone is returned if the sample visits exist already.
var ErrDone = errors.New("the sample visits are there already")

// batch is the maximum number of past visits in one request.
const batch = 100

// lastPhone is the phone number of the last visitor. Its presence marks an office that is already filled.
const lastPhone = "9000099999"

// Fill adds the visits of three weeks and a morning through the internal API of visits, and a few new ones through the
// public API. It returns ErrDone, and changes nothing, if the office has been filled before.
func Fill(ctx context.Context, target Target, now time.Time) error {
	people, err := staff.SignIn(ctx, target.URL, target.Accounts, nil)
	if err != nil {
		return err
	}
	defer people.SignOut(context.WithoutCancel(ctx))
	done, err := isFilled(ctx, people.Users["reception"])
	if err != nil {
		return err
	}
	if done {
		return ErrDone
	}
	office, err := officeOf(ctx, people)
	if err != nil {
		return err
	}
	plan := Plan(office, now)
	for part := range slices.Chunk(plan, batch) {
		past := map[string]any{"visits": part}
		err := patiently(ctx, time.Second, func() error {
			return target.Office.Call(ctx, "visits", "/internal/import", past, nil)
		})
		if err != nil {
			return fmt.Errorf("import past visits: %w", err)
		}
	}
	return moment{people, office, plan}.fill(ctx)
}

func isFilled(ctx context.Context, reception *client.Client) (bool, error) {
	var answer struct{ Visitor *struct{ Visits int } }
	err := reception.Call(ctx, http.MethodPost, "/api/visits/lookup", map[string]string{"phone": lastPhone}, &answer)
	return answer.Visitor != nil, err
}

func officeOf(ctx context.Context, people *staff.Staff) (o Office, err error) {
	var document struct{ TimeZone string }
	var offered struct{ Services []Service }
	for path, into := range map[string]any{"/api/office": &document, "/api/services": &offered} {
		if err := people.Users["reception"].Call(ctx, http.MethodGet, path, nil, into); err != nil {
			return o, fmt.Errorf("read %s: %w", path, err)
		}
	}
	o.Services = offered.Services
	if o.Zone, err = time.LoadLocation(document.TimeZone); err != nil {
		return o, err
	}
	if o.Reception, err = people.Users["reception"].ID(ctx); err != nil {
		return o, err
	}
	if o.PA, err = people.Users["pa"].ID(ctx); err != nil {
		return o, err
	}
	for _, consultant := range people.Consultants {
		id, err := consultant.ID(ctx)
		if err != nil {
			return o, err
		}
		o.Consultants = append(o.Consultants, id)
	}
	return o, nil
}

// fill registers the guests and makes the staff's changes of their visits.
func (m moment) fill(ctx context.Context) error {
	for i, guest := range guests {
		made, err := m.Register(ctx, map[string]string{
			"name": guest.name, "phone": fmt.Sprintf("90000999%02d", 99-(len(guests)-1-i)), "class": guest.class,
			"service_id": m.office.Services[i%len(m.office.Services)].ID,
		})
		if err == nil && guest.does != nil {
			err = guest.does(m, ctx, made.ID)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", guest.name, err)
		}
	}
	return nil
}

func status(ctx context.Context, by *client.Client, id string, body map[string]any) error {
	if err := by.Call(ctx, http.MethodPut, "/api/visits/"+id+"/status", body, nil); err != nil {
		return fmt.Errorf("set a visit to %v: %w", body["status"], err)
	}
	return nil
}

func inSession(plan []contract.PastVisit, consultant string) bool {
	return slices.ContainsFunc(plan, func(v contract.PastVisit) bool {
		return v.ConsultantID == consultant && v.StartedAt != nil && v.CompletedAt == nil
	})
}

// mostTries is the maximum number of attempts at a call that a busy service answers with 503.
const mostTries = 30

// patiently repeats a call while the service answers 503, with pauses in between. On a machine where everything starts
// at the same time, an import may wait for the database longer than the service allows.
func patiently(ctx context.Context, pause time.Duration, call func() error) error {
	for try := 1; ; try++ {
		err := call()
		var rejected *operate.Rejected
		if !errors.As(err, &rejected) || rejected.Status != http.StatusServiceUnavailable || try == mostTries {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
