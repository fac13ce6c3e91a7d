package auth

import (
	"html"
	"strings"
	"testing"
)

// What a person or an office is called stands in a letter as text, never as markup.
func TestALetterEscapesNamesInItsHTML(t *testing.T) {
	letter := letter{Subject: "पासवर्ड", Office: "Lekha <Tax>", Name: "आशा", Lines: []string{"One line."}, Button: "Open", Link: site + "/x?a=1&b=2"}
	message, err := letter.to("asha@example.com")
	if err != nil || message.To != "asha@example.com" || message.Subject != "पासवर्ड" {
		t.Fatalf("the letter is %+v (%v)", message, err)
	}
	// ASVS 1.1.2, 1.2.1
	if !strings.Contains(message.Text, site+"/x?a=1&b=2") || !strings.Contains(message.HTML, "Lekha &lt;Tax&gt;") || !strings.Contains(message.HTML, "a=1&amp;b=2") {
		t.Errorf("the letter is %+v", message)
	}
}

// Each mail is written as text and as HTML in the office's name, and both hold the whole link.
func TestEveryMailIsTextAndHTMLInTheOfficesName(t *testing.T) {
	o := open(t)
	asha, admin := o.join("asha"), o.admin("boss")
	o.call(asha.Token, "POST", "/api/auth/send-verification-email", `{"email":"asha@example.com","callbackURL":"/dashboard"}`).want(200)
	o.settle()
	o.resetLink(asha.Email, 2)
	o.call(asha.Token, "POST", "/api/auth/change-email", `{"newEmail":"new@example.com"}`).want(200)
	o.call(admin.Token, "POST", "/api/users", `{"name":"Ravi <b>","email":"ravi@example.com","role":"pa"}`).want(201)
	for name, mail := range map[string]mailed{
		"verification": o.letter(asha.Email, 1), "reset": o.letter(asha.Email, 2), "e-mail change": o.letter("new@example.com", 1), "invitation": o.letter("ravi@example.com", 1),
	} {
		link := site + mail.link(t)
		if !strings.Contains(mail.HTML, `href="`+html.EscapeString(link)+`"`) {
			t.Errorf("%s: the page has no link %s: %s", name, link, mail.HTML)
		}
		if !strings.Contains(mail.Text, "Lekha Tax & Advisory") || !strings.Contains(mail.HTML, "Lekha Tax &amp; Advisory") {
			t.Errorf("%s is not in the office's name", name)
		}
		if mail.Subject == "" || strings.Contains(mail.HTML, "<b>") {
			t.Errorf("%s: subject %q, %s", name, mail.Subject, mail.HTML)
		}
	}
}
