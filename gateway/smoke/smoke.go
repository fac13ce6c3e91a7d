// Package smoke checks an installation through its gateway. It requests a path of each upstream except lobby, without a
// session. With the account in SMOKE_EMAIL and SMOKE_PASSWORD it also registers a visit and waits for its event on the
// live stream. `helm test` runs it.
package smoke

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"baari.dev/services/platform/httpclient"
)

// Account is the account of SMOKE_EMAIL and SMOKE_PASSWORD. Without an e-mail address, Check registers no visit.
type Account struct{ Email, Password string }

// Check checks the installation at base and prints the results. It returns an error for each path whose response is not
// the expected one, if the visit cannot be followed, and if the checks take more than a minute.
func Check(ctx context.Context, base string, as Account) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := askPaths(ctx, base); err != nil || as.Email == "" {
		return err
	}
	return followVisit(ctx, &account{base: base, email: as.Email, password: as.Password})
}

// expected lists paths and the responses to requests without a session. The last two paths belong to no upstream.
var expected = []struct {
	path   string
	status int
	code   string // the error's code
}{
	{"/", http.StatusOK, ""},
	{"/api/office", http.StatusOK, ""},
	{"/api/auth/get-session", http.StatusOK, ""},
	{"/api/visits/today", http.StatusUnauthorized, "unauthorized"},
	{"/api/analytics/dashboard", http.StatusUnauthorized, "unauthorized"},
	{"/api/stream/notifications", http.StatusUnauthorized, "unauthorized"},
	{"/api/nothing", http.StatusNotFound, "not_found"},
	{"/internal/events", http.StatusNotFound, "not_found"},
}

func askPaths(ctx context.Context, base string) error {
	var wrong []error
	for _, want := range expected {
		status, code, err := ask(ctx, base+want.path)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case status != want.status || code != want.code:
			wrong = append(wrong, fmt.Errorf("%s answers %d %s", want.path, status, code))
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	fmt.Printf("%d paths answer as expected\n", len(expected))
	return nil
}

// ask returns the status of a path and, unless it is 200, the code of the error.
func ask(ctx context.Context, address string) (status int, code string, err error) {
	request, err := httpclient.Request(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, "", err
	}
	answer, err := httpclient.Do(http.DefaultClient, request)
	if err != nil || answer.Status == http.StatusOK {
		return answer.Status, "", err
	}
	return answer.Status, answer.Code(), nil
}
