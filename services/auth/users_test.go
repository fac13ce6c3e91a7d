package auth

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// S7.api.01, S3.user.01-03: a user object has both isActive and is_active. Only administrators can read other accounts.
func TestUsersReadTheirOwnAccountOnly(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	own := o.call(asha.Token, "GET", "/api/users/"+asha.ID, "").
		want(200, `"role":"reception"`, `"isActive":true`, `"is_active":true`)
	if other := o.call(admin.Token, "GET", "/api/users/"+asha.ID, ""); other.body != own.body {
		t.Errorf("the administrator reads %s", other.body)
	}
	// ASVS 8.2.2
	o.call(asha.Token, "GET", "/api/users/"+admin.ID, "").want(404)
	o.call(admin.Token, "GET", "/api/users/"+data.NewID(), "").want(404)
	o.call(admin.Token, "GET", "/api/users/%ff%00", "").want(404)
	o.get("/api/users/" + asha.ID).want(401)
	cookie := o.sessionCookie(asha.Token)
	o.call("", "GET", "/api/users/"+asha.ID, "", "Cookie", cookie).want(401) // this call accepts no cookie
}

// S4.auth.10-11, S7.api.03: the update after sign-up sets the role once. It ignores the active flags.
func TestARoleIsSetOnceAfterSignUp(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	set := func(role string) reply {
		return o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"`+role+`","isActive":true,"is_active":true}`)
	}
	set("admin").wantCode(403, "forbidden")
	set("superuser").want(400, roleWrong.Sentence)
	set("consultant").want(200, `"role":"consultant"`)
	set("consultant").want(200, `"role":"consultant"`)
	set("pa").wantCode(403, "role_locked")
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200, `"isActive":true`)
	o.getSession(asha.Token).want(200, `"role":"consultant"`)
	if got := o.types(asha.ID); got != "user_registered session_signed_in user_role_set" {
		t.Errorf("published %s", got)
	}
	if n := o.denials.Load(); n != 2 {
		t.Errorf("%d denials were recorded, want those of admin and of pa", n)
	}
}

func TestARoleIsLockedAfterTheRoleWindow(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(account.RoleWindow)
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa"}`).wantCode(403, "role_locked")
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"reception"}`).want(200)
}

func TestInvalidRoleUpdatesAreRejected(t *testing.T) {
	o := open(t)
	asha, other := o.join("asha"), o.join("bina")
	target := "/api/users/" + asha.ID
	cases := []struct{ name, body, code string }{
		{"a case variant beside the key", `{"role":"pa","ROLE":"admin"}`, "bad_body"},
		{"the key twice", `{"role":"pa","role":"admin"}`, "bad_body"},
		{"flags that differ", `{"isActive":true,"is_active":false}`, "validation"},
		{"a flag of another type", `{"is_active":"yes"}`, "validation"},
		{"a role of another type", `{"role":["pa"]}`, "validation"},
		{"no object", `[]`, "bad_body"},
		{"trailing data", `{"role":"pa"} x`, "bad_body"},
	}
	for _, c := range cases {
		// ASVS 2.2.3, 15.3.3
		o.call(asha.Token, "PUT", target, c.body).wantCode(400, c.code)
	}
	o.call(asha.Token, "PUT", target, strings.Repeat(" ", 64<<10)+"{}").want(413)
	o.call(asha.Token, "PUT", target, `{"role":"pa"}`, "Content-Type", "text/plain").want(415)
	o.call(asha.Token, "PUT", "/api/users/"+other.ID, `{"role":"pa"}`).want(403)
	o.call("", "PUT", target, `{"role":"pa"}`).want(401)
	if got := o.types(asha.ID); got != "user_registered session_signed_in" {
		t.Errorf("published %s", got)
	}
}

// S6.inactive.01, S4.gate.07: a deactivated account can call get-session and sign-out and read its own user. Every
// other call returns 403.
func TestADeactivatedAccountIsDenied(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200, `"is_active":false`)
	o.getSession(asha.Token).want(200, `"isActive":false`)
	o.call(asha.Token, "GET", "/api/users/"+asha.ID, "").want(200, `"isActive":false`)
	inactive := []reply{
		o.call(asha.Token, "GET", "/api/users/"+admin.ID, ""),
		o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa"}`),
		o.call(asha.Token, "POST", "/api/users", `{"name":"Asha","email":"asha@example.com","role":"pa"}`),
		o.call(asha.Token, "GET", "/api/users", ""),
	}
	for _, r := range inactive {
		if r.want(403); r.code() != "account_inactive" {
			t.Error(r.body)
		}
	}
	again := o.signedIn(asha.Email)
	o.post(again, "/sign-out", "").want(200)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"is_active":true}`).want(200)
	asha.Token = o.signedIn(asha.Email)
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"reception"}`).want(200)
	got := o.types(asha.ID)
	if !strings.Contains(got, "user_deactivated") ||
		!strings.HasSuffix(got, "user_activated session_revoked session_signed_in") {
		t.Errorf("published %s", got)
	}
}

// With approval, a new account is inactive. In the role window, its user can complete the registration. The user can
// change nothing else until an administrator activates the account.
func TestRegistrationWithApprovalNeedsAnAdministrator(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationApproval })
	asha, admin := o.join("asha"), o.admin("boss")
	put := func() reply { return o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa","isActive":true}`) }
	put().want(200, `"role":"pa"`, `"isActive":false`)
	o.call(asha.Token, "POST", "/api/users", invitation("asha")).want(200, `"isActive":false`)
	o.call(asha.Token, "POST", "/api/users", invitation("b")).want(403, "account_inactive")
	o.call(asha.Token, "PUT", "/api/users/"+admin.ID, `{"role":"pa"}`).want(403, "account_inactive")
	o.later(account.RoleWindow)
	put().want(403, "account_inactive")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":true}`).want(200)
	put().want(200)

	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"role":"admin"}`).want(200)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200)
	o.call(asha.Token, "PUT", "/api/users/"+admin.ID, `{"isActive":false}`).want(403, "account_inactive")
}

func TestClosedRegistrationRejectsSignUps(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationClosed })
	r := o.post("", "/sign-up/email", registration("a")).want(403)
	if r.code() != "registration_closed" || o.count(`SELECT count(*) FROM users`) != 0 {
		t.Error(r.body)
	}
}

// S7.api.04-05: POST /api/users confirms the caller's profile, also with a cookie from a trusted origin. Only
// administrators can create other accounts.
func TestUsersConfirmTheirOwnProfile(t *testing.T) {
	o := open(t)
	var nameless struct {
		Token string
		User  struct{ ID string }
	}
	signUp := body("name", "", "email", "asha@example.com", "password", password)
	o.post("", "/sign-up/email", signUp).want(200).into(&nameless)
	o.call(nameless.Token, "POST", "/api/users", body("name", "", "email", "asha@example.com")).want(200, `"name":""`)
	own := `{"name":"Asha","email":"Asha@example.com","role":"admin"}`
	o.call(nameless.Token, "POST", "/api/users", own).want(200, `"name":"Asha"`, `"role":"reception"`)
	o.call(nameless.Token, "POST", "/api/users", strings.Replace(own, "Asha", "Other", 1)).want(200, `"name":"Asha"`)
	cookie := o.sessionCookie(nameless.Token)
	o.call("", "POST", "/api/users", own, "Cookie", cookie, "Origin", site).want(200)
	o.call("", "POST", "/api/users", own, "Cookie", cookie).wantCode(403, "MISSING_OR_NULL_ORIGIN")
	o.call("", "POST", "/api/users", own, "Cookie", cookie, "Origin", "https://evil.example").
		wantCode(403, "INVALID_ORIGIN")
	o.call(nameless.Token, "POST", "/api/users", `{"name":"B","email":"b@example.com","role":"pa"}`).want(403, "forbidden")
	o.call(nameless.Token, "POST", "/api/users", `{"name":"B","email":"b","role":"pa"}`).want(400, emailWrong.Sentence)
	if got := o.types(nameless.User.ID); got != "user_registered session_signed_in user_updated" {
		t.Errorf("published %s", got)
	}
}

func TestAdministratorsInviteUsers(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	var made struct {
		Data      struct{ ID, Role string }
		InviteURL string `json:"invite_url"`
	}
	invite := `{"name":"Ravi","email":"ravi@example.com","role":"consultant"}`
	o.call(admin.Token, "POST", "/api/users", invite).want(201, `"role":"consultant"`, `"isActive":true`).into(&made)
	if !strings.HasPrefix(made.InviteURL, site+"/reset-password?token=") {
		t.Errorf("the link is %s", made.InviteURL)
	}
	o.call(admin.Token, "POST", "/api/users", invite).want(200, made.Data.ID)
	if got := o.types(made.Data.ID); got != "user_invited" {
		t.Errorf("published %s", got)
	}
	o.post("", "/sign-in/email", credentials("ravi@example.com", password)).want(401)
	o.call(admin.Token, "POST", "/api/users", body("name", " ", "email", "c@example.com", "role", "boss")).
		want(400, nameMissing.Sentence, roleWrong.Sentence)
}

func TestAStaffMemberIsFoundWithAnyApostrophe(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	for name, email := range map[string]string{"Maria D’Souza": "maria@example.com", "Rosa D'Souza": "rosa@example.com"} {
		o.call(admin.Token, "POST", "/api/users", body("name", name, "email", email, "role", "pa")).want(201)
	}
	for _, query := range []string{"D'Souza", "d’souza", "D‘Souza", "D`Souza"} {
		var got struct{ Pagination struct{ Total int } }
		o.call(admin.Token, "GET", "/api/users?q="+url.QueryEscape(query), "").want(200).into(&got)
		if got.Pagination.Total != 2 {
			t.Errorf("%s finds %d", query, got.Pagination.Total)
		}
	}
}

func TestListUsersFiltersAndPages(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	for _, name := range []string{"asha", "Bina", "chand"} {
		o.join(name)
	}
	list := func(query string) (names string, total int) {
		var got struct {
			Users      []struct{ Name string }
			Pagination struct{ Total, Pages int }
		}
		o.call(admin.Token, "GET", "/api/users?"+query, "").want(200).into(&got)
		for _, u := range got.Users {
			names += u.Name + " "
		}
		return strings.TrimSpace(names), got.Pagination.Total
	}
	for query, want := range map[string]string{
		"":                         "asha Bina boss chand 4",
		"limit=2":                  "asha Bina 4",
		"limit=2&page=2":           "boss chand 4",
		"page=9":                   " 4",
		"q=IN":                     "Bina 1",
		"q=%25":                    " 0",
		"q=ASHA%40":                "asha 1",
		"role=admin":               "boss 1",
		"role=reception&limit=1":   "asha 3",
		"active=false":             " 0",
		"active=true&q=AN&limit=1": "chand 1",
	} {
		names, total := list(query)
		if got := fmt.Sprint(names, " ", total); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	chand := o.signedIn("chand@example.com")
	o.post(chand, "/delete-user", body("password", password)).want(200)
	if names, total := list(""); names != "asha Bina boss" || total != 3 {
		t.Errorf("with a deleted account: %s, %d", names, total)
	}
	for _, query := range []string{
		"page=0", "page=x", "limit=101", "limit=-1", "role=boss", "active=maybe", "awaiting=2", "q=%00", "q=%ff",
		"page=99999999999999999999",
	} {
		o.call(admin.Token, "GET", "/api/users?"+query, "").wantCode(400, "validation")
	}
	asha := o.signedIn("asha@example.com")
	o.call(asha, "GET", "/api/users", "").want(403)
}

// Each change of name, role and activity by an administrator publishes an event with its own version.
func TestEachChangeByAnAdministratorPublishesAnEvent(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"name":"Asha Verma","role":"pa","is_active":false}`).
		want(200, `"name":"Asha Verma"`, `"role":"pa"`, `"isActive":false`)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"name":"Asha Verma","role":"pa","is_active":false}`).want(200)
	var published []string
	for _, e := range o.events(asha.ID)[2:] {
		published = append(published, fmt.Sprintf("%s %d %v %v->%v",
			e.Type, e.Version, e.Actor.ID == admin.ID, e.Before["role"], e.After["role"]))
	}
	want := "user_updated 2 true reception->reception, user_role_changed 3 true reception->pa, " +
		"user_deactivated 4 true pa->pa"
	if got := strings.Join(published, ", "); got != want {
		t.Errorf("published %s, want %s", got, want)
	}
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"name":" "}`).want(400, nameMissing.Sentence)
	o.call(admin.Token, "PUT", "/api/users/"+data.NewID(), `{"role":"pa"}`).want(404)
	o.call(admin.Token, "PUT", "/api/users/x", `{"role":"pa"}`).want(404)
	o.getSession(asha.Token).want(200, `"role":"pa"`) // the session stays
}

func TestTheLastActiveAdministratorCannotBeRemoved(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	for _, body := range []string{`{"role":"pa"}`, `{"isActive":false}`} {
		o.call(admin.Token, "PUT", "/api/users/"+admin.ID, body).wantCode(409, "last_admin")
	}
	second := o.admin("second")
	o.call(admin.Token, "PUT", "/api/users/"+second.ID, `{"isActive":false}`).want(200)
	o.call(admin.Token, "PUT", "/api/users/"+admin.ID, `{"role":"pa"}`).want(409)
}

// If administrators remove each other concurrently, one remains.
func TestConcurrentRemovalsKeepAnAdministrator(t *testing.T) {
	o := open(t)
	for round := range 5 {
		a, b := o.admin(fmt.Sprint("a", round)), o.admin(fmt.Sprint("b", round))
		if round == 0 {
			continue // the administrators of the first round stay while the next are created
		}
		o.retireOthers(a, b)
		var race sync.WaitGroup
		for _, pair := range [][2]person{{a, b}, {b, a}} {
			race.Go(func() {
				o.raw("PUT", "/api/users/"+pair[1].ID, `{"role":"pa"}`,
					"Authorization", "Bearer "+pair[0].Token, "Content-Type", "application/json")
			})
		}
		race.Wait()
		// ASVS 15.4.2
		if n := o.count(`SELECT count(*) FROM users WHERE role = 'admin' AND is_active`); n < 1 {
			t.Fatal("there is no administrator")
		}
	}
}

// retireOthers gives all administrators except a and b the role PA.
func (o *office) retireOthers(a, b person) {
	o.t.Helper()
	o.exec(`UPDATE users SET role = 'pa' WHERE id NOT IN ($1, $2)`, a.ID, b.ID)
}

// The first administrator is created from the configuration, once, also when replicas start concurrently.
func TestBootstrapCreatesOneAdministrator(t *testing.T) {
	o := open(t)
	first := NewAdmin{Email: "Boss@example.com", Name: "Administrator", Password: password}
	var race sync.WaitGroup
	for range 4 {
		race.Go(func() {
			bootstrap := func(ctx context.Context) error { return o.Bootstrap(ctx, first) }
			if err := postgres.AtStart(t.Context(), bootstrap); err != nil {
				t.Error(err)
			}
		})
	}
	race.Wait()
	// ASVS 6.3.2
	n := o.count(`SELECT count(*) FROM users WHERE role = 'admin' AND is_active AND email = 'boss@example.com'`)
	if n != 1 {
		t.Fatalf("%d administrators", n)
	}
	boss := o.signedIn("boss@example.com")
	o.call(boss, "GET", "/api/users", "").want(200)
	first.Email = "second@example.com"
	if err := o.Bootstrap(context.Background(), first); err != nil || o.count(`SELECT count(*) FROM users`) != 1 {
		t.Errorf("a second administrator was created: %v", err)
	}
}

// An account that signed up with the configured address does not become an administrator.
func TestBootstrapPromotesNoExistingUser(t *testing.T) {
	o := open(t)
	o.join("boss")
	err := o.Bootstrap(context.Background(), NewAdmin{Email: "boss@example.com", Name: "B", Password: "another password"})
	if err == nil || o.count(`SELECT count(*) FROM users WHERE role = 'admin'`) != 0 {
		t.Errorf("the existing account is an administrator: %v", err)
	}
	weak := NewAdmin{Email: "b@example.com", Name: "B", Password: "123456"}
	if err := o.Bootstrap(context.Background(), weak); err == nil {
		// ASVS 6.3.2
		t.Error("an administrator has a common password")
	}
}

func TestCallerIsVerifiedByTokenOnly(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for token, want := range map[string]error{
		asha.Token:        nil,
		asha.ID:           fault.ErrUnauthorized,
		"":                fault.ErrUnauthorized,
		asha.Token + ".x": fault.ErrUnauthorized,
	} {
		caller, err := o.Verify(context.Background(), token)
		// ASVS 7.2.1
		if fmt.Sprint(err) != fmt.Sprint(want) || want == nil && caller.ID != asha.ID {
			t.Errorf("%q: %+v, %v", token, caller, err)
		}
	}
	o.later(8 * 24 * time.Hour)
	if _, err := o.Verify(context.Background(), asha.Token); err == nil {
		t.Error("the token of an expired session is accepted")
	}
}
