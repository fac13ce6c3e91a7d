package auth

import (
	"strings"
	"testing"

	"baari.dev/services/auth/mailing"
)

func TestAMailIsInTheLanguageOfItsReader(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.post(asha.Token, "/update-user", `{"language":"hi"}`).want(200)
	o.post(asha.Token, "/change-email", `{"newEmail":"new@example.com"}`).want(200)
	o.settle()
	hindi := mailing.TextsOf("hi")
	for address, want := range map[string]string{
		asha.Email: hindi.StopSubject, "new@example.com": hindi.NewEmailSubject,
	} {
		mail := o.nthMail(address, 1)
		if mail.Subject != want || !strings.Contains(mail.HTML, `<html lang="hi">`) ||
			!strings.Contains(mail.Text, "नमस्ते") {
			t.Errorf("to %s: %s\n%s", address, mail.Subject, mail.Text)
		}
	}
}

// A user who has not chosen a language gets mails in the language of the request, if the office offers it. An invited
// user gets the office's default, because the request comes from the administrator.
func TestAMailToAUserWithoutALanguageIsInThatOfTheRequestOrTheOffices(t *testing.T) {
	kannadaOffice := func(options *Options) { options.Languages = []string{"kn", "en", "hi"} }
	for _, c := range []struct{ header, value, want string }{
		{"Accept-Language", "hi-IN, en;q=0.5", "hi"},
		{"Cookie", "baari_lang=en", "en"},
		{"Accept-Language", "ta", "kn"},
		{"Accept-Language", "", "kn"},
	} {
		t.Run(c.value, func(t *testing.T) {
			o := open(t, kannadaOffice)
			asha := o.join("asha")
			o.post("", "/request-password-reset", body("email", asha.Email),
				c.header, c.value, "Origin", site).want(200)
			o.settle()
			if mail := o.nthMail(asha.Email, 1); mail.Subject != mailing.TextsOf(c.want).ResetSubject {
				t.Errorf("%s", mail.Subject)
			}
		})
	}
	o := open(t, kannadaOffice)
	boss := o.admin("boss")
	o.call(boss.Token, "POST", "/api/users", `{"name":"Ravi","email":"ravi@example.com","role":"pa"}`,
		"Accept-Language", "hi").want(201)
	o.settle()
	if mail := o.nthMail("ravi@example.com", 1); !strings.Contains(mail.HTML, `<html lang="kn">`) {
		t.Errorf("the invitation is %s", mail.HTML)
	}
}

func TestTheErrorPageIsInTheLanguageOfItsReader(t *testing.T) {
	o := open(t, func(options *Options) { options.Languages = []string{"en", "ta"} })
	for value, language := range map[string]string{"ta": "ta", "hi": "en"} {
		page := o.call("", "GET", "/api/auth/error?error=INVALID_TOKEN", "", "Accept-Language", value).want(200)
		if !strings.Contains(page.body, mailing.TextsOf(language).LinkTitle) ||
			!strings.Contains(page.body, `<html lang="`+language+`">`) ||
			page.header.Get("Content-Language") != language {
			t.Errorf("%s: %s", value, page.body)
		}
	}
}

func TestAMailToANamelessUserIsGreetedWithoutAName(t *testing.T) {
	o := open(t)
	o.post("", "/sign-up/email", body("name", "", "email", "a@example.com", "password", password)).want(200)
	o.resetLink("a@example.com", 1)
	if mail := o.nthMail("a@example.com", 1); !strings.HasPrefix(mail.Text, mailing.TextsOf("en").GreetingNameless) {
		t.Errorf("the mail is %s", mail.Text)
	}
}

// A mail to an address that is not verified does not contain the name of the account, because a stranger may have
// chosen both. The new address in a change is not verified either.
func TestAnUnverifiedAddressIsNotGreetedByName(t *testing.T) {
	o := open(t)
	asha := o.join("asha")
	o.resetLink(asha.Email, 1)
	if mail := o.nthMail(asha.Email, 1); strings.Contains(mail.Text, "asha,") || strings.Contains(mail.HTML, "asha,") {
		t.Errorf("the mail is %s", mail.Text)
	}
	o.exec(`UPDATE users SET email_verified = true, name = 'Asha Verma'`)
	o.post(asha.Token, "/change-email", body("newEmail", "new@example.com")).want(200)
	if mail := o.nthMail("new@example.com", 1); strings.Contains(mail.Text, "Asha Verma") {
		t.Errorf("the mail is %s", mail.Text)
	}
	if mail := o.nthMail(asha.Email, 2); !strings.Contains(mail.Text, "Asha Verma") {
		t.Errorf("the mail to the verified address is %s", mail.Text)
	}
}

// Sign-up, update-user and the calls of /api/users reject a name with an address or a link.
func TestANameHoldsNoAddress(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	for _, name := range []string{"Claim at www.evil.example", "evil.com", "see https://x.y", "a@b.c", "Ｅvil．ｃｏｍ"} {
		o.post("", "/sign-up/email", body("name", name, "email", "n@example.com", "password", password)).want(400)
		o.post(asha.Token, "/update-user", body("name", name)).want(400)
		o.call(admin.Token, "PUT", "/api/users/"+asha.ID, body("name", name)).wantCode(400, "validation")
		o.call(admin.Token, "POST", "/api/users", body("name", name, "email", "n@example.com", "role", "pa")).
			wantCode(400, "validation")
	}
	for _, name := range []string{"K.R. Narayanan", "A.P.J.Abdul Kalam", "Dr.Rao", "St. John's", "மீனா ராஜ்"} {
		o.post(asha.Token, "/update-user", body("name", name)).want(200)
	}
}
