package seed

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"baari.dev/services/operate"
	"baari.dev/tools/sample/client"
)

// Target is the running system to fill.
type Target struct {
	URL    string         // of the gateway
	Office operate.Office // for visits' internal API
	People []Person
}

// Person is an account. There must be one of each role.
type Person struct{ Role, Email, Password string }

// ErrDone is returned if the sample visits exist already.
var ErrDone = errors.New("the sample visits are there already")

// batch is the number of past visits in one request.
const batch = 100

// lastPhone is the phone number of the last visitor. Its presence marks an office that is already filled.
const lastPhone = "9000099999"

// staff are the signed-in users.
type staff struct {
	admin, reception, pa client.Client
	consultants          []client.Client
}

// Fill adds the visits of three weeks and a morning through the internal API of visits, and a few new ones through the
// public API. It returns ErrDone, and changes nothing, if the office has been filled before.
func Fill(ctx context.Context, target Target, now time.Time) error {
	var s staff
	if err := s.signIn(ctx, target); err != nil {
		return err
	}
	defer s.signOut(context.WithoutCancel(ctx))
	done, err := s.isFilled(ctx)
	if err != nil {
		return err
	}
	if done {
		return ErrDone
	}
	office, err := s.office(ctx)
	if err != nil {
		return err
	}
	plan := Plan(office, now)
	for part := range slices.Chunk(plan, batch) {
		past := map[string]any{"visits": part}
		if err := target.Office.Call(ctx, "visits", "/internal/import", past, nil); err != nil {
			return fmt.Errorf("import past visits: %w", err)
		}
	}
	return s.now(ctx, office, plan)
}

// signIn signs in one person of each role, and every consultant.
func (s *staff) signIn(ctx context.Context, target Target) error {
	seats := map[string]*client.Client{"admin": &s.admin, "reception": &s.reception, "pa": &s.pa}
	for _, person := range target.People {
		seat := seats[person.Role]
		if person.Role == "consultant" {
			s.consultants = append(s.consultants, client.Client{})
			seat = &s.consultants[len(s.consultants)-1]
		}
		if seat == nil || seat.Base != "" { // already assigned
			continue
		}
		seat.Base = target.URL
		if err := seat.SignIn(ctx, person.Email, person.Password); err != nil {
			return fmt.Errorf("sign in as %s: %w", person.Role, err)
		}
	}
	return nil
}

func (s *staff) signOut(ctx context.Context) {
	for _, c := range append([]client.Client{s.admin, s.reception, s.pa}, s.consultants...) {
		_ = c.SignOut(ctx) // a session that stays open expires
	}
}

func (s *staff) isFilled(ctx context.Context) (bool, error) {
	var answer struct{ Visitor *struct{ Visits int } }
	err := s.reception.Call(ctx, http.MethodPost, "/api/visits/lookup", map[string]string{"phone": lastPhone}, &answer)
	return answer.Visitor != nil, err
}

// office reads the data that a plan needs.
func (s *staff) office(ctx context.Context) (Office, error) {
	var document struct{ TimeZone string }
	var offered struct{ Services []Service }
	var o Office
	var err error
	if err = s.admin.Call(ctx, http.MethodGet, "/api/office", nil, &document); err != nil {
		return o, fmt.Errorf("office: %w", err)
	}
	if err = s.reception.Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return o, fmt.Errorf("services: %w", err)
	}
	o.Services = offered.Services
	if o.Zone, err = time.LoadLocation(document.TimeZone); err != nil {
		return o, err
	}
	if o.Reception, err = s.reception.ID(ctx); err != nil {
		return o, err
	}
	if o.PA, err = s.pa.ID(ctx); err != nil {
		return o, err
	}
	for _, c := range s.consultants {
		id, err := c.ID(ctx)
		if err != nil {
			return o, err
		}
		o.Consultants = append(o.Consultants, id)
	}
	if len(o.Services) == 0 || len(o.Consultants) == 0 {
		return o, errors.New("the office has no services or no consultants")
	}
	return o, nil
}

// now adds the visitors of this moment (moment.go).
func (s *staff) now(ctx context.Context, office Office, plan []Visit) error {
	for i, guest := range guests {
		phone := fmt.Sprintf("90000999%02d", 99-(len(guests)-1-i))
		id, err := s.create(ctx, guest, phone, office.Services[i%len(office.Services)])
		if err != nil {
			return err
		}
		if guest.does == nil {
			continue
		}
		if err := guest.does(moment{s, office, plan}, ctx, id); err != nil {
			return fmt.Errorf("%s: %w", guest.name, err)
		}
	}
	return nil
}

func (s *staff) create(ctx context.Context, who guest, phone string, service Service) (string, error) {
	var answer struct{ Visit struct{ ID string } }
	body := map[string]string{"name": who.name, "phone": phone, "service_id": service.ID, "class": who.class}
	if err := s.reception.Call(ctx, http.MethodPost, "/api/visits", body, &answer); err != nil {
		return "", fmt.Errorf("create a visit: %w", err)
	}
	return answer.Visit.ID, nil
}

func status(ctx context.Context, by *client.Client, id string, body map[string]any) error {
	if err := by.Call(ctx, http.MethodPut, "/api/visits/"+id+"/status", body, nil); err != nil {
		return fmt.Errorf("set a visit to %v: %w", body["status"], err)
	}
	return nil
}

// inSession reports whether a consultant has a running session in the plan.
func inSession(plan []Visit, consultant string) bool {
	return slices.ContainsFunc(plan, func(v Visit) bool {
		return v.ConsultantID == consultant && v.StartedAt != nil && v.CompletedAt == nil
	})
}
