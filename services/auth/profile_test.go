package auth

import (
	"strings"
	"testing"
	"time"
)

func TestUpdateUserChangesNameAndPicture(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	update := func(body string) reply { return o.post(asha.Token, "/update-user", body) }
	update(`{"name":"Asha Verma","image":"https://example.com/a.png","unknown":1,"id":"x","emailVerified":true}`).
		want(200, `{"status":true}`).wantCookie(asha.Token, cookieAge)
	o.getSession(asha.Token).
		want(200, `"name":"Asha Verma"`, `"image":"https://example.com/a.png"`, `"emailVerified":false`, asha.ID)
	update(`{"image":null}`).want(200)
	o.getSession(asha.Token).want(200, `"image":null`)
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
		t.Errorf("published %s", got)
	}
}

func TestUsersChooseTheirLanguage(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	update := func(body string) reply { return o.post(asha.Token, "/update-user", body) }
	o.getSession(asha.Token).want(200, `"language":null`)
	update(`{"language":"ta"}`).want(200)
	o.getSession(asha.Token).want(200, `"language":"ta"`)
	update(`{"name":"Asha Verma"}`).want(200)
	o.getSession(asha.Token).want(200, `"language":"ta"`, `"name":"Asha Verma"`)
	for body, message := range map[string]string{
		`{"language":"qps"}`:  `[body.language] Invalid option: expected one of \"en\"|\"hi\"|\"kn\"|\"ta\"|\"te\"|\"mr\"`,
		`{"language":null}`:   "[body.language] Invalid input: expected string, received null",
		`{"language":["hi"]}`: "[body.language] Invalid input: expected string, received array",
	} {
		update(body).want(400, message)
	}
	o.getSession(asha.Token).want(200, `"language":"ta"`)
}

// A verification link can be opened any number of times within an hour, and redirects to its callbackURL.
func TestAVerificationLinkCanBeRepeated(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	send := func(token, email string) reply {
		return o.post(token, "/send-verification-email", `{"email":"`+email+`","callbackURL":"/dashboard"}`)
	}
	send("", "nobody@example.com").want(200, `{"status":true}`)
	send(asha.Token, "other@example.com").wantCode(400, "EMAIL_MISMATCH")
	send(asha.Token, "asha@example.com").want(200, `{"status":true}`)
	link := o.nthMail("asha@example.com", 1).link(t)
	plain := "/api/auth/verify-email?token=" + query(t, link, "token")
	for range 2 {
		if r := o.get(plain).want(200); r.body != `{"status":true,"user":null}` {
			t.Error(r.body)
		}
	}
	if got := o.location(link); got != "/dashboard" {
		t.Errorf("redirects to %s", got)
	}
	if got := o.types(asha.ID); strings.Count(got, "user_updated") != 1 {
		t.Errorf("published %s", got)
	}
	send(asha.Token, "asha@example.com").wantCode(400, "EMAIL_ALREADY_VERIFIED")
	send("", "asha@example.com").want(200)
	o.settle()
	if n := len(o.mail.to("asha@example.com")); n != 1 {
		t.Errorf("%d mails", n)
	}
	o.later(time.Hour + time.Second)
	o.get(plain).wantCode(401, "TOKEN_EXPIRED")
	for _, token := range []string{"x", "eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFzaGFAZXhhbXBsZS5jb20ifQ.", "%ff"} {
		o.get("/api/auth/verify-email?token="+token).wantCode(401, "INVALID_TOKEN")
	}
	got := o.location("/api/auth/verify-email?token=x&callbackURL=/dashboard%3Fa%3D1")
	if got != "/dashboard?a=1&error=INVALID_TOKEN" {
		t.Errorf("redirects to %s", got)
	}
	o.get("/api/auth/verify-email").want(400, "[query.token] Invalid input: expected string, received undefined")
}

// S7.auth.14: a deleted account has no sessions and credentials, and its address can register again.
func TestDeleteUserDeletesSessionsAndCredentials(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	other := o.signedIn(asha.Email)
	remove := func(body string) reply { return o.post(asha.Token, "/delete-user", body) }
	remove("").want(400, "[body] Invalid input: expected object, received undefined")
	remove(`{"password":"wrong password"}`).wantCode(400, "INVALID_PASSWORD")
	remove(`{"token":"x"}`).wantCode(404, "INVALID_TOKEN")
	o.inUse(asha.Token, 25*time.Hour)
	remove(body("password", password)).want(200, `"success":true`, `"message":"User deleted"`).wantCleared()
	// ASVS 7.4.2
	o.wantEnded(asha.Token, other)
	o.trySignIn(asha.Email, password, "10.0.0.1").want(401)
	if n := o.count(`SELECT count(*) FROM accounts`); n != 0 {
		t.Error("the hash is still stored")
	}
	if got := o.types(asha.ID); !strings.HasSuffix(got, "session_revoked user_deleted") {
		t.Errorf("published %s", got)
	}
	again := o.join("asha")
	if again.ID == asha.ID {
		t.Error("the address has the old account again")
	}
	admin := o.admin("boss")
	o.call(admin.Token, "GET", "/api/users/"+asha.ID, "").want(404)
	o.post(admin.Token, "/delete-user", body("password", password)).wantCode(409, "last_admin")
}

// No provider is configured. Each call returns better-auth's error, for requests of its releases 1.7 and 1.3.
func TestProviderCallsReportNoProvider(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	var accounts []struct {
		ID, AccountID, ProviderID, UserID string
		Scopes                            []string
	}
	o.call(asha.Token, "GET", "/api/auth/list-accounts", "").want(200, `"scopes":[]`).into(&accounts)
	if len(accounts) != 1 {
		t.Fatalf("the accounts are %+v", accounts)
	}
	id := accounts[0].ID
	if a := accounts[0]; a.AccountID != asha.ID || a.UserID != asha.ID || a.ProviderID != "credential" {
		t.Fatalf("the account is %+v", a)
	}
	cases := []struct {
		method, path, body string
		status             int
		code, message      string
	}{
		{"GET", "/account-info?accountId=" + id, "", 400, "PROVIDER_NOT_CONFIGURED",
			"Account is not associated with a configured social provider."},
		{"GET", "/account-info?accountId=x", "", 400, "ACCOUNT_NOT_FOUND", "Account not found"},
		{"GET", "/account-info", "", 400, "VALIDATION_ERROR", "[query] Invalid input"},
		{"POST", "/account-info", `{"accountId":"` + asha.ID + `"}`, 400, "PROVIDER_NOT_CONFIGURED", ""},
		{"POST", "/account-info", `{"accountId":"x"}`, 400, "ACCOUNT_NOT_FOUND", ""},
		{"POST", "/get-access-token", `{"accountId":"` + id + `"}`, 400, "PROVIDER_NOT_SUPPORTED",
			"Provider credential is not supported."},
		{"POST", "/get-access-token", `{"accountId":"x"}`, 400, "ACCOUNT_NOT_FOUND", ""},
		{"POST", "/get-access-token", `{}`, 400, "VALIDATION_ERROR", "[body] Invalid input"},
		{"POST", "/get-access-token", `{"providerId":"google"}`, 400, "PROVIDER_GOOGLE_IS_NOT_SUPPORTED",
			"Provider google is not supported."},
		{"POST", "/refresh-token", `{"accountId":"` + id + `"}`, 400, "PROVIDER_NOT_SUPPORTED", ""},
		{"POST", "/refresh-token", `{"providerId":"google","accountId":"x"}`, 400, "PROVIDER_GOOGLE_IS_NOT_SUPPORTED", ""},
		{"POST", "/refresh-token", `{"providerId":"<b>"}`, 400, "VALIDATION_ERROR", ""},
		{"POST", "/link-social", `{"provider":"google","callbackURL":"/dashboard"}`, 404, "PROVIDER_NOT_FOUND",
			"Provider not found"},
		{"POST", "/sign-in/social", `{"provider":"google"}`, 404, "PROVIDER_NOT_FOUND", ""},
		{"POST", "/sign-in/social", `{}`, 400, "VALIDATION_ERROR", "[body.provider]"},
		{"POST", "/unlink-account", `{"accountId":"` + id + `"}`, 400, "FAILED_TO_UNLINK_LAST_ACCOUNT",
			"You can't unlink your last account"},
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
