package mailbox

import (
	"encoding/json"
	"io"
	"net/http"
	"net/smtp"
	"net/url"
	"strings"
	"testing"
)

// invitation is a mail with an encoded subject and two encoded parts.
const invitation = "From: Baari <no-reply@baari.example>\r\n" +
	"To: asha@example.com\r\n" +
	"Subject: =?UTF-8?q?=E0=A4=86=E0=A4=AE=E0=A4=82=E0=A4=A4=E0=A5=8D=E0=A4=B0=E0=A4=A3?=\r\n" +
	"MIME-Version: 1.0\r\n" +
	"Content-Type: multipart/alternative; boundary=x\r\n\r\n" +
	"--x\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
	"Open http://localhost:8080/reset-password?token=3Dabc=\r\ndef to set a password.\r\n" +
	"--x\r\nContent-Type: text/html; charset=UTF-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
	"PGI+V2VsY29tZTwvYj4=\r\n--x--\r\n"

func open(t *testing.T) *Box {
	t.Helper()
	box, err := Open("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	return box
}

func send(t *testing.T, box *Box, mail string, to ...string) {
	t.Helper()
	if err := smtp.SendMail(box.SMTP(), nil, "no-reply@baari.example", to, []byte(mail)); err != nil {
		t.Fatal(err)
	}
}

func fetch(t *testing.T, address string) string {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v %v", address, answer.Status, err)
	}
	return string(text)
}

func TestMessagesAreListedDecodedByAddressTheNewestLast(t *testing.T) {
	box := open(t)
	send(t, box, invitation, "asha@example.com", "office@example.com")
	send(t, box, "Subject: Second\r\n\r\nplain\r\n", "asha@example.com")
	var list []map[string]any
	text := fetch(t, box.URL()+"/messages?since=1&to="+url.QueryEscape("Asha@example.com"))
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if len(list) != 2 || list[1]["subject"] != "Second" || list[1]["text"] != "plain\n" {
		t.Fatalf("messages: %s", text)
	}
	want := map[string]any{
		"calendar": nil, "to": "asha@example.com", "subject": "आमंत्रण", "html": "<b>Welcome</b>",
		"text": "Open http://localhost:8080/reset-password?token=abcdef to set a password.",
	}
	for field, value := range want {
		if list[0][field] != value {
			t.Errorf("%s is %v, want %v", field, list[0][field], value)
		}
	}
	if len(list[0]) != len(want) {
		t.Errorf("fields: %v", list[0])
	}
}

// booking is a mail with a calendar entry, as a part and as an attachment.
const booking = "Subject: Confirmed\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n" +
	"--y\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n" +
	"--x\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\nYour appointment\r\n" +
	"--x\r\nContent-Type: text/calendar; method=REQUEST; charset=UTF-8\r\n\r\nBEGIN:VCALENDAR\r\n\r\n" +
	"--x--\r\n--y\r\nContent-Type: text/calendar; charset=UTF-8; method=REQUEST\r\n" +
	"Content-Disposition: attachment; filename=\"appointment.ics\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
	"QkVHSU46VkNBTEVOREFSDQo=\r\n--y--\r\n"

func TestTheEntryOfAMailIsKept(t *testing.T) {
	box := open(t)
	send(t, box, booking, "asha@example.com")
	got := box.Messages("asha@example.com")
	if len(got) != 1 || got[0].Text != "Your appointment" || got[0].Calendar == nil ||
		*got[0].Calendar != (Calendar{Method: "REQUEST", Text: "BEGIN:VCALENDAR\r\n"}) {
		t.Errorf("the messages are %+v", got)
	}
}

func TestAnAddressWithoutMailHasAnEmptyList(t *testing.T) {
	box := open(t)
	if text := fetch(t, box.URL()+"/messages?to=none@example.com"); text != "[]\n" {
		t.Errorf("answer %q", text)
	}
}

func TestThePageShowsMailWithoutRunningItsScripts(t *testing.T) {
	box := open(t)
	send(
		t, box, "Subject: <script>alert(1)</script>\r\nContent-Type: text/html\r\n\r\n<script>alert(2)</script>\r\n",
		"a@example.com",
	)
	text := fetch(t, box.URL())
	if strings.Contains(text, "<script>") {
		t.Error("the page contains a script of a mail")
	}
	if !strings.Contains(text, "to a@example.com") || !strings.Contains(text, `sandbox=`) {
		t.Errorf("the page does not show the mail: %s", text)
	}
}

func TestAnInvalidMailIsRejected(t *testing.T) {
	box := open(t)
	err := smtp.SendMail(
		box.SMTP(), nil, "a@example.com", []string{"b@example.com"},
		[]byte("Content-Type: multipart/mixed\r\n\r\nno boundary\r\n"),
	)
	if err == nil {
		t.Error("accepted")
	}
	if got := box.Messages(""); len(got) != 0 {
		t.Errorf("kept %v", got)
	}
}

func TestTheOldestMessagesAreDropped(t *testing.T) {
	box := &Box{}
	for range keep + 10 {
		box.add([]Message{{To: "a@example.com"}})
	}
	if got := len(box.Messages("")); got != keep {
		t.Errorf("%d messages kept, want %d", got, keep)
	}
}
