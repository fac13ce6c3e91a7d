package auth

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
)

// operated serves the internal routes. It returns a function that returns a client for a caller.
func (o *office) operated() func(caller string) *identity.Client {
	o.t.Helper()
	deps := endpoint.Deps{
		Service: contract.SourceAuth, Keys: testkit.Keys(contract.SourceAuth), Log: slog.New(slog.DiscardHandler),
	}
	table, err := endpoint.New(deps, o.InternalRoutes()...)
	if err != nil {
		o.t.Fatal(err)
	}
	server := httptest.NewServer(table)
	o.t.Cleanup(server.Close)
	return func(caller string) *identity.Client {
		return identity.NewClient(server.URL, testkit.Keys(caller), contract.SourceAuth)
	}
}

// post sends a POST request, decodes the response into out and returns the status.
func post(t *testing.T, client *identity.Client, path string, in, out any) int {
	t.Helper()
	status, err := client.Call(t.Context(), http.MethodPost, path, in, out)
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func TestOperatorCreatesAnAdministrator(t *testing.T) {
	o := open(t)
	client := o.operated()
	operator := client(contract.CallerOperator)
	body := createAdmin{Email: "Boss@Example.com", Name: "Boss", Password: password}
	if got := post(t, client(contract.SourceVisits), "/internal/admins", body, nil); got != http.StatusForbidden {
		t.Errorf("visits got %d", got)
	}
	var created createdAdmin
	if got := post(t, operator, "/internal/admins", body, &created); got != http.StatusOK {
		t.Fatalf("got %d", got)
	}
	o.call(o.signedIn("boss@example.com"), "GET", "/api/users/"+created.ID, "").want(200, `"role":"admin"`)
	if events := o.events(created.ID); events[0].Actor == nil || events[0].Actor.Name != contract.CallerOperator {
		t.Errorf("the actor is %+v", events[0].Actor)
	}
	for _, wrong := range []struct {
		body   createAdmin
		status int
	}{
		{body, http.StatusUnprocessableEntity},
		{createAdmin{Email: "boss", Name: "Boss", Password: password}, http.StatusBadRequest},
		{createAdmin{Email: "b@example.com", Name: "Boss", Password: "short"}, http.StatusBadRequest},
	} {
		if got := post(t, operator, "/internal/admins", wrong.body, nil); got != wrong.status {
			t.Errorf("%+v got %d", wrong.body, got)
		}
	}
}

func TestOperatorEndsTheSessionsOfAPersonOrOfEveryone(t *testing.T) {
	o := open(t)
	asha, bina, chitra := o.join("asha"), o.join("bina"), o.join("chitra")
	other := o.signedIn(asha.Email)
	client := o.operated()
	operator := client(contract.CallerOperator)
	end := func(body endSessions, want, ended int) {
		t.Helper()
		var answer revokedAnswer
		if got := post(t, operator, "/internal/sessions/end", body, &answer); got != want || answer.Ended != ended {
			t.Errorf("%+v got %d and ended %d", body, got, answer.Ended)
		}
	}
	everyone := endSessions{Everyone: true}
	if got := post(t, client(contract.SourceVisits), "/internal/sessions/end", everyone, nil); got != 403 {
		t.Errorf("visits got %d", got)
	}
	end(endSessions{}, http.StatusBadRequest, 0)
	end(endSessions{Everyone: true, UserID: asha.ID}, http.StatusBadRequest, 0)
	end(endSessions{Email: "unknown@example.com"}, http.StatusNotFound, 0)
	end(endSessions{UserID: data.NewID()}, http.StatusNotFound, 0)

	end(endSessions{Email: "ASHA@example.com"}, http.StatusOK, 2)
	o.wantEnded(asha.Token, other)
	o.call(bina.Token, "GET", "/api/auth/get-session", "").want(200, bina.ID)
	end(endSessions{UserID: bina.ID}, http.StatusOK, 1)
	o.wantEnded(bina.Token)

	o.signedIn(bina.Email)
	end(everyone, http.StatusOK, 2)
	o.wantEnded(chitra.Token)
	for _, p := range []person{asha, bina, chitra} {
		events := o.events(p.ID)
		last := events[len(events)-1]
		if last.Type != contract.SessionRevoked || last.Actor == nil || last.Actor.Name != contract.CallerOperator {
			t.Errorf("%s: the last event is %+v", p.Email, last)
		}
	}
	end(everyone, http.StatusOK, 0)
}
