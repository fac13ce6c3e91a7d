package smoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"baari.dev/services/platform/httpclient"
)

// account is the account of a receptionist or an administrator. session is its bearer token.
type account struct{ base, email, password, session string }

// visitor is registered and cancelled by each check. The phone number is not assigned to anyone.
var visitor = map[string]string{"name": "Installation test", "phone": "0000000000"}

// longestDelay is the time after which an event that has not arrived is reported as missing.
const longestDelay = 15 * time.Second

// followVisit signs in, opens the live stream, registers a visitor, waits for the event, cancels the visit, and signs
// out. The cancelled visit stays in the audit trail, and its token stays used.
func followVisit(ctx context.Context, a *account) (err error) {
	var signedIn struct {
		Token string
		User  struct{ ID, Role string }
	}
	body := map[string]string{"email": a.email, "password": a.password}
	if err := a.call(ctx, http.MethodPost, "/api/auth/sign-in/email", body, &signedIn); err != nil {
		return fmt.Errorf("sign in as %s (test.account names another account): %w", a.email, err)
	}
	a.session = signedIn.Token
	defer func() {
		err = errors.Join(err, a.call(ctx, http.MethodPost, "/api/auth/sign-out", map[string]string{}, nil))
	}()
	service, err := a.firstService(ctx)
	if err != nil {
		return err
	}
	following, stop := context.WithTimeout(ctx, longestDelay)
	defer stop()
	events, err := a.stream(following, signedIn.User.Role, signedIn.User.ID)
	if err != nil {
		return err
	}
	defer func() { _ = events.Close() }()

	var made struct{ Visit struct{ ID, Token string } }
	request := map[string]string{"service_id": service}
	for field, value := range visitor {
		request[field] = value
	}
	if err := a.call(ctx, http.MethodPost, "/api/visits", request, &made); err != nil {
		return err
	}
	defer func() {
		path := "/api/visits/" + made.Visit.ID + "/cancel"
		err = errors.Join(err, a.call(ctx, http.MethodPost, path, map[string]string{}, nil))
	}()
	registered := time.Now()
	if err := await(events, made.Visit.ID); err != nil {
		return fmt.Errorf("the event of %s did not arrive: %w", made.Visit.Token, err)
	}
	fmt.Printf("%s was registered and seen on the stream after %d ms\n",
		made.Visit.Token, time.Since(registered).Milliseconds())
	return nil
}

func (a *account) firstService(ctx context.Context) (id string, err error) {
	var known struct{ Services []struct{ ID string } }
	if err := a.call(ctx, http.MethodGet, "/api/services", nil, &known); err != nil {
		return "", err
	}
	if len(known.Services) == 0 {
		return "", errors.New("the office has no active service")
	}
	return known.Services[0].ID, nil
}

func (a *account) stream(ctx context.Context, role, id string) (io.ReadCloser, error) {
	path := "/api/stream?" + url.Values{"role": {role}, "user_id": {id}}.Encode()
	request, err := a.request(ctx, http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		_ = answer.Body.Close()
		return nil, fmt.Errorf("the stream answers %d", answer.StatusCode)
	}
	return answer.Body, nil
}

// await reads events until one is about the visit. It returns an error if the stream ends before.
func await(stream io.Reader, visit string) error {
	for event, err := range httpclient.Events(stream) {
		if err != nil {
			return err
		}
		var about struct{ Data struct{ VisitID string } }
		if json.Unmarshal([]byte(event.Data), &about) == nil && about.Data.VisitID == visit {
			return nil
		}
	}
	return nil
}

// call sends a request and decodes the response, unless into is nil.
func (a *account) call(ctx context.Context, method, path string, body, into any) error {
	request, err := a.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	answer, err := httpclient.Do(http.DefaultClient, request)
	if err != nil {
		return err
	}
	if answer.Status >= http.StatusBadRequest {
		return fmt.Errorf("%s %s answers %d %s", method, path, answer.Status, answer.Body)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer.Body, into)
}

func (a *account) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	request, err := httpclient.Request(ctx, method, a.base+path, body)
	if err == nil && a.session != "" {
		request.Header.Set("Authorization", "Bearer "+a.session)
	}
	return request, err
}
