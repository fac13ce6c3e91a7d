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
	"baari.dev/services/platform/fault"
)

// S7.api.01, S3.user.01-03: a user object has both names of its activity; another's is not there, but for an administrator.
func TestReadUser(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	own := o.call(asha.Token, "GET", "/api/users/"+asha.ID, "").want(200, `"role":"reception"`, `"isActive":true`, `"is_active":true`)
	if other := o.call(admin.Token, "GET", "/api/users/"+asha.ID, ""); other.body != own.body {
		t.Errorf("the administrator sees %s", other.body)
	}
	// ASVS 8.2.2
	o.call(asha.Token, "GET", "/api/users/"+admin.ID, "").want(404)
	o.call(admin.Token, "GET", "/api/users/"+newID(), "").want(404)
	o.call(admin.Token, "GET", "/api/users/%ff%00", "").want(404)
	o.call("", "GET", "/api/users/"+asha.ID, "").want(401)
	cookie := cookieName + "=" + url.QueryEscape(o.Service.cookies.signer.sign(asha.Token))
	o.call("", "GET", "/api/users/"+asha.ID, "", "Cookie", cookie).want(401) // S2: the product reads no cookie here
}

// S4.auth.10-11, S7.api.03: the update after sign-up sets the role once; its active flags are not looked at.
func TestOneRoleUpdate(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	set := func(role string) reply {
		return o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"`+role+`","isActive":true,"is_active":true}`)
	}
	if r := set("admin").want(403); r.code() != "forbidden" {
		t.Errorf("administrator: %s", r.body)
	}
	set("superuser").want(400, roleWrong)
	set("consultant").want(200, `"role":"consultant"`)
	set("consultant").want(200, `"role":"consultant"`)
	if r := set("pa").want(403); r.code() != "role_locked" {
		t.Errorf("again: %s", r.body)
	}
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200, `"isActive":true`)
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"role":"consultant"`)
	if got := o.types(asha.ID); got != "user_registered session_signed_in user_role_set" {
		t.Errorf("announced %s", got)
	}
	if n := o.denials.Load(); n != 2 {
		t.Errorf("%d refusals were recorded, want that of admin and that of pa", n)
	}
}

func TestRoleUpdateComesTooLate(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.later(account.RoleWindow)
	if r := o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa"}`).want(403); r.code() != "role_locked" {
		t.Error(r.body)
	}
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"reception"}`).want(200)
}

func TestBadRoleUpdates(t *testing.T) {
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
		if r := o.call(asha.Token, "PUT", target, c.body).want(400); r.code() != c.code {
			t.Errorf("%s: %s", c.name, r.body)
		}
	}
	o.call(asha.Token, "PUT", target, strings.Repeat(" ", 64<<10)+"{}").want(413)
	o.call(asha.Token, "PUT", target, `{"role":"pa"}`, "Content-Type", "text/plain").want(415)
	o.call(asha.Token, "PUT", "/api/users/"+other.ID, `{"role":"pa"}`).want(403)
	o.call("", "PUT", target, `{"role":"pa"}`).want(401)
	if got := o.types(asha.ID); got != "user_registered session_signed_in" {
		t.Errorf("announced %s", got)
	}
}

// S6.inactive.01, S4.gate.07: a deactivated account keeps its session for get-session, sign-out and its own user; everything else is 403.
func TestDeactivation(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200, `"is_active":false`)
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"isActive":false`)
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
	o.call(again, "POST", "/api/auth/sign-out", "").want(200)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"is_active":true}`).want(200)
	asha.Token = o.signedIn(asha.Email)
	o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa"}`).want(200)
	if got := o.types(asha.ID); !strings.Contains(got, "user_deactivated") || !strings.HasSuffix(got, "user_activated session_revoked session_signed_in user_role_set") {
		t.Errorf("announced %s", got)
	}
}

// With approval a newcomer is inactive, may finish the registration, and nothing else until an administrator says so.
func TestRegistrationByApproval(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationApproval })
	asha, admin := o.join("asha"), o.admin("boss")
	put := func() reply { return o.call(asha.Token, "PUT", "/api/users/"+asha.ID, `{"role":"pa","isActive":true}`) }
	put().want(200, `"role":"pa"`, `"isActive":false`)
	o.call(asha.Token, "POST", "/api/users", `{"name":"Asha","email":"asha@example.com","role":"pa"}`).want(200, `"isActive":false`)
	o.call(asha.Token, "POST", "/api/users", `{"name":"B","email":"b@example.com","role":"pa"}`).want(403, "account_inactive")
	o.call(asha.Token, "PUT", "/api/users/"+admin.ID, `{"role":"pa"}`).want(403, "account_inactive")
	o.later(account.RoleWindow)
	put().want(403, "account_inactive")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":true}`).want(200)
	put().want(200)

	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"role":"admin"}`).want(200)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"isActive":false}`).want(200)
	o.call(asha.Token, "PUT", "/api/users/"+admin.ID, `{"isActive":false}`).want(403, "account_inactive")
}

func TestRegistrationClosed(t *testing.T) {
	o := open(t, func(options *Options) { options.Registration = RegistrationClosed })
	r := o.call("", "POST", "/api/auth/sign-up/email", `{"name":"A","email":"a@example.com","password":"`+password+`"}`).want(403)
	if r.code() != "registration_closed" || o.count(`SELECT count(*) FROM users`) != 0 {
		t.Error(r.body)
	}
}

// S7.api.04-05: POST /api/users confirms the own profile, by cookie too when the page is ours; only an administrator makes others.
func TestSaveUser(t *testing.T) {
	o := open(t)
	var nameless struct {
		Token string
		User  struct{ ID string }
	}
	o.call("", "POST", "/api/auth/sign-up/email", `{"name":"","email":"asha@example.com","password":"`+password+`"}`).want(200).into(&nameless)
	own := `{"name":"Asha","email":"Asha@example.com","role":"admin"}`
	o.call(nameless.Token, "POST", "/api/users", own).want(200, `"name":"Asha"`, `"role":"reception"`)
	o.call(nameless.Token, "POST", "/api/users", strings.Replace(own, "Asha", "Other", 1)).want(200, `"name":"Asha"`)
	cookie := cookieName + "=" + url.QueryEscape(o.Service.cookies.signer.sign(nameless.Token))
	o.call("", "POST", "/api/users", own, "Cookie", cookie, "Origin", site).want(200)
	if r := o.call("", "POST", "/api/users", own, "Cookie", cookie).want(403); r.code() != "MISSING_OR_NULL_ORIGIN" {
		t.Error(r.body)
	}
	if r := o.call("", "POST", "/api/users", own, "Cookie", cookie, "Origin", "https://evil.example").want(403); r.code() != "INVALID_ORIGIN" {
		t.Error(r.body)
	}
	o.call(nameless.Token, "POST", "/api/users", `{"name":"B","email":"b@example.com","role":"pa"}`).want(403, "forbidden")
	o.call(nameless.Token, "POST", "/api/users", `{"name":"B","email":"b","role":"pa"}`).want(400, emailWrong)
	if got := o.types(nameless.User.ID); got != "user_registered session_signed_in user_updated" {
		t.Errorf("announced %s", got)
	}
}

func TestInvite(t *testing.T) {
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
		t.Errorf("announced %s", got)
	}
	o.call("", "POST", "/api/auth/sign-in/email", `{"email":"ravi@example.com","password":"`+password+`"}`).want(401)
	o.call(admin.Token, "POST", "/api/users", `{"name":" ","email":"c@example.com","role":"boss"}`).want(400, nameMissing, roleWrong)
}

func TestListUsers(t *testing.T) {
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
	for _, query := range []string{"page=0", "page=x", "limit=101", "limit=-1", "role=boss", "active=maybe", "q=%00", "q=%ff", "page=99999999999999999999"} {
		if r := o.call(admin.Token, "GET", "/api/users?"+query, "").want(400); r.code() != "validation" {
			t.Errorf("%s: %s", query, r.body)
		}
	}
	asha := o.signedIn("asha@example.com")
	o.call(asha, "GET", "/api/users", "").want(403)
}

// An administrator changes name, role and activity; each is told as an event of its own with a version of its own.
func TestAdministrate(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"name":"Asha Verma","role":"pa","is_active":false}`).
		want(200, `"name":"Asha Verma"`, `"role":"pa"`, `"isActive":false`)
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"name":"Asha Verma","role":"pa","is_active":false}`).want(200)
	var published []string
	for _, e := range o.events(asha.ID)[2:] {
		published = append(published, fmt.Sprint(e.Type, " ", e.Version, " ", e.Actor.ID == admin.ID, " ", e.Before["role"], "->", e.After["role"]))
	}
	want := "user_updated 2 true reception->reception, user_role_changed 3 true reception->pa, user_deactivated 4 true pa->pa"
	if got := strings.Join(published, ", "); got != want {
		t.Errorf("announced %s, want %s", got, want)
	}
	o.call(admin.Token, "PUT", "/api/users/"+asha.ID, `{"name":" "}`).want(400, nameMissing)
	o.call(admin.Token, "PUT", "/api/users/"+newID(), `{"role":"pa"}`).want(404)
	o.call(admin.Token, "PUT", "/api/users/x", `{"role":"pa"}`).want(404)
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"role":"pa"`) // the session stays
}

func TestLastActiveAdministrator(t *testing.T) {
	o := open(t)
	admin := o.admin("boss")
	for _, body := range []string{`{"role":"pa"}`, `{"isActive":false}`} {
		if r := o.call(admin.Token, "PUT", "/api/users/"+admin.ID, body).want(409); r.code() != "last_admin" {
			t.Error(r.body)
		}
	}
	second := o.admin("second")
	o.call(admin.Token, "PUT", "/api/users/"+second.ID, `{"isActive":false}`).want(200)
	o.call(admin.Token, "PUT", "/api/users/"+admin.ID, `{"role":"pa"}`).want(409)
}

// However many administrators remove one another at once, one stays.
func TestAdministratorsRemoveOneAnother(t *testing.T) {
	o := open(t)
	for round := range 5 {
		a, b := o.admin(fmt.Sprint("a", round)), o.admin(fmt.Sprint("b", round))
		if round == 0 {
			continue // the pair that stays to set up the next
		}
		o.retireOthers(a, b)
		var race sync.WaitGroup
		for _, who := range [][2]person{{a, b}, {b, a}} {
			race.Go(func() {
				o.raw("PUT", "/api/users/"+who[1].ID, `{"role":"pa"}`, "Authorization", "Bearer "+who[0].Token, "Content-Type", "application/json")
			})
		}
		race.Wait()
		// ASVS 15.4.2
		if n := o.count(`SELECT count(*) FROM users WHERE role = 'admin' AND is_active`); n < 1 {
			t.Fatal("nobody administrates any more")
		}
	}
}

func (o *office) retireOthers(keep ...person) {
	if _, err := o.db.Owner(o.t).Exec(context.Background(), `UPDATE users SET role = 'pa' WHERE id NOT IN ($1, $2)`, keep[0].ID, keep[1].ID); err != nil {
		o.t.Fatal(err)
	}
}

// The first administrator comes from the configuration, once, however many replicas start.
func TestBootstrap(t *testing.T) {
	o := open(t)
	first := Newcomer{Email: "Boss@example.com", Name: "Administrator", Password: password}
	var race sync.WaitGroup
	for range 4 {
		race.Go(func() {
			if err := o.Bootstrap(context.Background(), first); err != nil {
				t.Error(err)
			}
		})
	}
	race.Wait()
	// ASVS 6.3.2
	if n := o.count(`SELECT count(*) FROM users WHERE role = 'admin' AND is_active AND email = 'boss@example.com'`); n != 1 {
		t.Fatalf("%d administrators", n)
	}
	boss := o.signedIn("boss@example.com")
	o.call(boss, "GET", "/api/users", "").want(200)
	first.Email = "second@example.com"
	if err := o.Bootstrap(context.Background(), first); err != nil || o.count(`SELECT count(*) FROM users`) != 1 {
		t.Errorf("a second one was made: %v", err)
	}
}

// An account that signed up with the configured address first is not made an administrator.
func TestBootstrapPromotesNoExistingUser(t *testing.T) {
	o := open(t)
	o.join("boss")
	err := o.Bootstrap(context.Background(), Newcomer{Email: "boss@example.com", Name: "B", Password: "another password"})
	if err == nil || o.count(`SELECT count(*) FROM users WHERE role = 'admin'`) != 0 {
		t.Errorf("the stranger administrates: %v", err)
	}
	if err := o.Bootstrap(context.Background(), Newcomer{Email: "b@example.com", Name: "B", Password: "123456"}); err == nil {
		// ASVS 6.3.2
		t.Error("a common password administrates")
	}
}

func TestCallerIsVerifiedByTokenOnly(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for token, want := range map[string]error{asha.Token: nil, asha.ID: fault.ErrUnauthorized, "": fault.ErrUnauthorized, asha.Token + ".x": fault.ErrUnauthorized} {
		caller, err := o.Verify(context.Background(), token)
		// ASVS 7.2.1
		if fmt.Sprint(err) != fmt.Sprint(want) || want == nil && caller.ID != asha.ID {
			t.Errorf("%q: %+v, %v", token, caller, err)
		}
	}
	o.later(8 * 24 * time.Hour)
	if _, err := o.Verify(context.Background(), asha.Token); err == nil {
		t.Error("an expired session is somebody's")
	}
}
