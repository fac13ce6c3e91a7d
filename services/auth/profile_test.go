package auth

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestUpdateUser(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	update := func(body string) reply { return o.call(asha.Token, "POST", "/api/auth/update-user", body) }
	update(`{"name":"Asha Verma","image":"https://example.com/a.png","unknown":1,"id":"x","emailVerified":true}`).want(200, `{"status":true}`).wantCookie(asha.Token, cookieAge)
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"name":"Asha Verma"`, `"image":"https://example.com/a.png"`, `"emailVerified":false`, asha.ID)
	update(`{"image":null}`).want(200)
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"image":null`)
	cases := []struct{ body, code, message string }{
		{`{"email":"new@example.com"}`, "EMAIL_CAN_NOT_BE_UPDATED", "Email can not be updated"},
		{`{"role":"admin"}`, "FIELD_NOT_ALLOWED", "role is not allowed to be set"},
		{`{"name":"A","role":null}`, "FIELD_NOT_ALLOWED", "role is not allowed to be set"},
		{`{"isActive":true}`, "FIELD_NOT_ALLOWED", "isActive is not allowed to be set"},
		{`{}`, "", "No fields to update"},
		{`{"unknown":true}`, "", "No fields to update"},
		{`{"name":null}`, "VALIDATION_ERROR", "[body.name] Invalid input: expected string, received null"},
		{`{"name":5}`, "VALIDATION_ERROR", "received number"},
		{`{"image":[]}`, "VALIDATION_ERROR", "[body.image] Invalid input: expected string, received array"},
		{`{"role":"pa","Role":"admin"}`, "BAD_REQUEST", ""},
	}
	for _, c := range cases {
		if r := update(c.body).want(400, c.message); r.code() != c.code {
			t.Errorf("%s: %s", c.body, r.body)
		}
	}
	if got := o.types(asha.ID); strings.Count(got, "user_updated") != 2 || strings.Contains(got, "role") {
		t.Errorf("announced %s", got)
	}
}

// The address changes when the link that went to the new one is opened, once; a taken address gets no mail.
func TestChangeEmail(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.join("bina")
	change := func(to string) reply {
		return o.call(asha.Token, "POST", "/api/auth/change-email", `{"newEmail":"`+to+`","callbackURL":"/dashboard"}`)
	}
	change("ASHA@example.com").want(400, "Email is the same")
	change("new").want(400, "[body.newEmail] Invalid email address")
	change("bina@example.com").want(200, `{"status":true}`)
	change("New@example.com").want(200, `{"status":true}`)
	link := o.letter("new@example.com", 1).link(t)
	if len(o.mail.to("bina@example.com")) != 0 || !strings.HasSuffix(link, "&token=") && !strings.Contains(link, "callbackURL=%2Fdashboard") {
		t.Errorf("the link is %s", link)
	}
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"email":"asha@example.com"`)

	token := url.QueryEscape(query(t, link, "token"))
	bina := o.signedIn("bina@example.com")
	if r := o.call(bina, "GET", "/api/auth/verify-email?token="+token, "").want(401); r.code() != "INVALID_USER" {
		t.Errorf("opened by another: %s", r.body)
	}
	r := o.call("", "GET", "/api/auth/verify-email?token="+token, "").want(200, `"email":"new@example.com"`, `"emailVerified":true`)
	if len(r.cookies()) != 0 {
		t.Errorf("sets %v", r.cookies())
	}
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"email":"new@example.com"`)
	if r := o.call("", "GET", "/api/auth/verify-email?token="+token, "").want(401); r.code() != "USER_NOT_FOUND" {
		t.Errorf("again: %s", r.body)
	}
	if got := o.call("", "GET", link, "").want(302).header.Get("Location"); got != "/dashboard?error=USER_NOT_FOUND" {
		t.Errorf("again, with a page: %s", got)
	}
	if got := o.types(asha.ID); !strings.Contains(got, "user_email_changed") {
		t.Errorf("announced %s", got)
	}
	o.signedIn("new@example.com")
}

func query(t *testing.T, link, name string) string {
	t.Helper()
	parsed, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Query().Get(name)
}

// A second link that was sent under the old address does nothing once the first has changed it.
func TestOldLinkDoesNothing(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	for _, to := range []string{"one@example.com", "two@example.com"} {
		o.call(asha.Token, "POST", "/api/auth/change-email", `{"newEmail":"`+to+`"}`).want(200)
		o.letter(to, 1)
	}
	o.call("", "GET", o.letter("one@example.com", 1).link(t), "").want(302)
	o.call("", "GET", "/api/auth/verify-email?token="+query(t, o.letter("two@example.com", 1).link(t), "token"), "").want(401)
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"email":"one@example.com"`)
}

// Who has been in somebody's account and asked for another address is out when the password is changed.
func TestAChangeOfAddressEndsWithThePassword(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.call(asha.Token, "POST", "/api/auth/change-email", `{"newEmail":"intruder@example.com"}`).want(200)
	link := o.letter("intruder@example.com", 1).link(t)
	o.call(asha.Token, "POST", "/api/auth/change-password", `{"currentPassword":"`+password+`","newPassword":"`+newPassword+`"}`).want(200)
	if r := o.call("", "GET", "/api/auth/verify-email?token="+query(t, link, "token"), "").want(401); r.code() != "INVALID_TOKEN" || len(r.cookies()) != 0 {
		t.Errorf("answered %s", r.body)
	}
	o.call(asha.Token, "GET", "/api/auth/get-session", "").want(200, `"email":"asha@example.com"`)
}

// A verification link verifies, any number of times within an hour, and leads on when it has where to.
func TestVerifyEmail(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	send := func(token, email string) reply {
		return o.call(token, "POST", "/api/auth/send-verification-email", `{"email":"`+email+`","callbackURL":"/dashboard"}`)
	}
	send("", "nobody@example.com").want(200, `{"status":true}`)
	if r := send(asha.Token, "other@example.com").want(400); r.code() != "EMAIL_MISMATCH" {
		t.Error(r.body)
	}
	send(asha.Token, "asha@example.com").want(200, `{"status":true}`)
	link := o.letter("asha@example.com", 1).link(t)
	plain := "/api/auth/verify-email?token=" + query(t, link, "token")
	for range 2 {
		if r := o.call("", "GET", plain, "").want(200); r.body != `{"status":true,"user":null}` {
			t.Error(r.body)
		}
	}
	if got := o.call("", "GET", link, "").want(302).header.Get("Location"); got != "/dashboard" {
		t.Errorf("leads to %s", got)
	}
	if r := send(asha.Token, "asha@example.com").want(400); r.code() != "EMAIL_ALREADY_VERIFIED" {
		t.Error(r.body)
	}
	send("", "asha@example.com").want(200)
	o.settle()
	if n := len(o.mail.to("asha@example.com")); n != 1 {
		t.Errorf("%d mails", n)
	}
	o.later(time.Hour + time.Second)
	if r := o.call("", "GET", plain, "").want(401); r.code() != "TOKEN_EXPIRED" {
		t.Error(r.body)
	}
	for _, token := range []string{"x", "eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFzaGFAZXhhbXBsZS5jb20ifQ.", "%ff"} {
		if r := o.call("", "GET", "/api/auth/verify-email?token="+token, "").want(401); r.code() != "INVALID_TOKEN" {
			t.Error(r.body)
		}
	}
	if got := o.call("", "GET", "/api/auth/verify-email?token=x&callbackURL=/dashboard%3Fa%3D1", "").want(302).header.Get("Location"); got != "/dashboard?a=1&error=INVALID_TOKEN" {
		t.Errorf("leads to %s", got)
	}
	o.call("", "GET", "/api/auth/verify-email", "").want(400, "[query.token] Invalid input: expected string, received undefined")
}

// S7.auth.14: the account goes with its sessions and credentials, and the address may register again.
func TestDeleteUser(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	other := o.signedIn(asha.Email)
	remove := func(body string) reply { return o.call(asha.Token, "POST", "/api/auth/delete-user", body) }
	remove("").want(400, "[body] Invalid input: expected object, received undefined")
	if r := remove(`{"password":"wrong password"}`).want(400); r.code() != "INVALID_PASSWORD" {
		t.Error(r.body)
	}
	if r := remove(`{"token":"x"}`).want(404); r.code() != "INVALID_TOKEN" {
		t.Error(r.body)
	}
	o.inUse(asha.Token, 25*time.Hour)
	if r := remove(`{"password":"` + password + `"}`).want(200); r.body != `{"message":"User deleted","success":true}` && r.body != `{"success":true,"message":"User deleted"}` {
		t.Error(r.body)
	} else {
		r.wantCleared()
	}
	// ASVS 7.4.2
	o.wantEnded(asha.Token, other)
	o.guess(asha.Email, password, "10.0.0.1").want(401)
	if n := o.count(`SELECT count(*) FROM accounts`); n != 0 {
		t.Error("the hash is kept")
	}
	if got := o.types(asha.ID); !strings.HasSuffix(got, "session_revoked user_deleted") {
		t.Errorf("announced %s", got)
	}
	again := o.join("asha")
	if again.ID == asha.ID {
		t.Error("the old account is back")
	}
	admin := o.admin("boss")
	o.call(admin.Token, "GET", "/api/users/"+asha.ID, "").want(404)
	if r := o.call(admin.Token, "POST", "/api/auth/delete-user", `{"password":"`+password+`"}`).want(409); r.code() != "last_admin" {
		t.Error(r.body)
	}
}

// No provider is configured; each call says so in its own way, in 1.7's terms and in 1.3's.
func TestProviders(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	var accounts []struct {
		ID, AccountID, ProviderID, UserID string
		Scopes                            []string
	}
	o.call(asha.Token, "GET", "/api/auth/list-accounts", "").want(200, `"scopes":[]`).into(&accounts)
	if len(accounts) != 1 || accounts[0].AccountID != asha.ID || accounts[0].UserID != asha.ID || accounts[0].ProviderID != "credential" {
		t.Fatalf("the accounts are %+v", accounts)
	}
	id := accounts[0].ID
	cases := []struct {
		method, path, body string
		status             int
		code, message      string
	}{
		{"GET", "/account-info?accountId=" + id, "", 400, "PROVIDER_NOT_CONFIGURED", "Account is not associated with a configured social provider."},
		{"GET", "/account-info?accountId=x", "", 400, "ACCOUNT_NOT_FOUND", "Account not found"},
		{"GET", "/account-info", "", 400, "VALIDATION_ERROR", "[query] Invalid input"},
		{"POST", "/account-info", `{"accountId":"` + asha.ID + `"}`, 400, "PROVIDER_NOT_CONFIGURED", ""},
		{"POST", "/account-info", `{"accountId":"x"}`, 400, "ACCOUNT_NOT_FOUND", ""},
		{"POST", "/get-access-token", `{"accountId":"` + id + `"}`, 400, "PROVIDER_NOT_SUPPORTED", "Provider credential is not supported."},
		{"POST", "/get-access-token", `{"accountId":"x"}`, 400, "ACCOUNT_NOT_FOUND", ""},
		{"POST", "/get-access-token", `{}`, 400, "VALIDATION_ERROR", "[body] Invalid input"},
		{"POST", "/get-access-token", `{"providerId":"google"}`, 400, "PROVIDER_GOOGLE_IS_NOT_SUPPORTED", "Provider google is not supported."},
		{"POST", "/refresh-token", `{"accountId":"` + id + `"}`, 400, "PROVIDER_NOT_SUPPORTED", ""},
		{"POST", "/refresh-token", `{"providerId":"google","accountId":"x"}`, 400, "PROVIDER_GOOGLE_IS_NOT_SUPPORTED", ""},
		{"POST", "/refresh-token", `{"providerId":"<b>"}`, 400, "VALIDATION_ERROR", ""},
		{"POST", "/link-social", `{"provider":"google","callbackURL":"/dashboard"}`, 404, "PROVIDER_NOT_FOUND", "Provider not found"},
		{"POST", "/sign-in/social", `{"provider":"google"}`, 404, "PROVIDER_NOT_FOUND", ""},
		{"POST", "/sign-in/social", `{}`, 400, "VALIDATION_ERROR", "[body.provider]"},
		{"POST", "/unlink-account", `{"accountId":"` + id + `"}`, 400, "FAILED_TO_UNLINK_LAST_ACCOUNT", "You can't unlink your last account"},
		{"POST", "/unlink-account", `{"providerId":"credential"}`, 400, "FAILED_TO_UNLINK_LAST_ACCOUNT", ""},
		{"POST", "/unlink-account", `{}`, 400, "VALIDATION_ERROR", "[body.accountId]"},
	}
	for _, c := range cases {
		r := o.call(asha.Token, c.method, "/api/auth"+c.path, c.body)
		// ASVS 6.3.4
		if r.status != c.status || r.code() != c.code || !strings.Contains(r.body, c.message) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, r.status, r.body)
		}
	}
}
