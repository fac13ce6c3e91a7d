package auth

import (
	"html"
	"strings"
	"testing"
)

// Each mail has a text and an HTML part, signed by the office, and both contain the whole link.
func TestEveryMailHasTextAndHTMLInTheOfficesName(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.post(asha.Token, "/send-verification-email", `{"email":"asha@example.com","callbackURL":"/dashboard"}`).want(200)
	o.settle()
	o.resetLink(asha.Email, 2)
	o.post(asha.Token, "/change-email", `{"newEmail":"new@example.com"}`).want(200)
	o.call(admin.Token, "POST", "/api/users", `{"name":"Ravi <b>","email":"ravi@example.com","role":"pa"}`).want(201)
	for name, mail := range map[string]mailed{
		"verification":  o.nthMail(asha.Email, 1),
		"reset":         o.nthMail(asha.Email, 2),
		"e-mail change": o.nthMail("new@example.com", 1),
		"invitation":    o.nthMail("ravi@example.com", 1),
	} {
		link := site + mail.link(t)
		if !strings.Contains(mail.HTML, `href="`+html.EscapeString(link)+`"`) {
			t.Errorf("%s: the HTML has no link %s: %s", name, link, mail.HTML)
		}
		if !strings.Contains(mail.Text, "Lekha Tax & Advisory") || !strings.Contains(mail.HTML, "Lekha Tax &amp; Advisory") {
			t.Errorf("%s is not in the office's name", name)
		}
		if mail.Subject == "" || strings.Contains(mail.HTML, "<b>") {
			t.Errorf("%s: subject %q, %s", name, mail.Subject, mail.HTML)
		}
	}
}
