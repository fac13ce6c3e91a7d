package message

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/mail"
)

const templates = `"templates":{"called":{"en":{"id":"1107","text":"Token {#var#}: counter {#var#}. {#url#}"},
"hi":{"id":"1108","text":"टोकन {#var#}: काउंटर {#var#}"}}}`

func asha(language string) Message {
	return Message{
		To: "9876543210", Kind: Called, Language: language, Values: []string{"T-014", `3" & <a>`},
		Link: "https://x.example/q/1",
	}
}

// post sends a message through the adapter http to a fake aggregator. body has two headers of the request and its body.
func post(t *testing.T, channel string, m Message, status int, answer string) (body string, id ID, err error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		body = r.Header.Get("Authorization") + " " + r.Header.Get("Content-Type") + " " + string(data)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	defer server.Close()
	channels, err := Read([]byte(strings.ReplaceAll(channel, "URL", server.URL)), nil)
	if err != nil {
		t.Fatal(err)
	}
	id, err = channels.Senders["sms"].Send(t.Context(), m)
	return body, id, err
}

const jsonChannel = `{"sms":{"adapter":"http","url":"URL","headers":{"Authorization":"Bearer k"},
"type":"application/json",
"body":"{\"to\":\"91{to}\",\"text\":\"{text}\",\"t\":\"{template}\",\"e\":\"{entity}\",\"h\":\"{header}\"}",
"success":"\"ref\":","idAfter":"\"ref\":\"","entityId":"11","header":"LEKHAT",` + templates + `}}`

func TestAMessageIsTheRegisteredTextWithItsValues(t *testing.T) {
	body, id, err := post(t, jsonChannel, asha("en"), 200, `{"ref":"m-1"}`)
	head, text, _ := strings.Cut(body, "application/json ")
	var sent map[string]string
	failed := json.Unmarshal([]byte(text), &sent)
	if failed != nil || err != nil || id != "m-1" || head != "Bearer k " {
		t.Fatalf("%q: %v %v, id %s", body, failed, err, id)
	}
	if sent["to"] != "919876543210" || sent["text"] != `Token T-014: counter 3" & <a>. https://x.example/q/1` ||
		sent["t"] != "1107" || sent["e"] != "11" || sent["h"] != "LEKHAT" {
		t.Errorf("the aggregator got %v", sent)
	}
	body, _, _ = post(t, jsonChannel, asha("hi"), 200, `{"ref":"m-1"}`)
	if !strings.Contains(body, "काउंटर") {
		t.Errorf("in Hindi: %s", body)
	}
	if body, _, _ := post(t, jsonChannel, asha("ta"), 200, `{"ref":"m-1"}`); !strings.Contains(body, "1107") {
		t.Errorf("a language without a template: %s", body)
	}
	near := asha("en")
	near.Kind = Near
	if body, _, err := post(t, jsonChannel, near, 200, ""); body != "" || !errors.Is(err, ErrNoTemplate) {
		t.Errorf("a kind without a template: %q %v", body, err)
	}
}

func TestAFormIsEscaped(t *testing.T) {
	channel := `{"sms":{"adapter":"http","url":"URL","type":"application/x-www-form-urlencoded",
"body":"to={to}&text={text}","success":"ok",` + templates + `}}`
	body, _, err := post(t, channel, asha("en"), 200, "ok")
	form, failed := url.ParseQuery(strings.TrimPrefix(body, " application/x-www-form-urlencoded "))
	if err != nil || failed != nil || form.Get("text") != `Token T-014: counter 3" & <a>. https://x.example/q/1` ||
		len(form) != 2 {
		t.Errorf("%q: %v %v", body, err, failed)
	}
}

// The outcome is unknown after a 5xx, a redirect, a 200 without the text of a success, and a lost response.
func TestAFailureIsKnownOrNot(t *testing.T) {
	for status, want := range map[int]error{
		500: ErrUnknown, 502: ErrUnknown, 503: ErrUnknown, 302: ErrUnknown,
		200: ErrUnknown, // a successful response would contain a text that this one lacks
		400: ErrRefused, 401: ErrRefused, 429: nil,
	} {
		_, _, err := post(t, jsonChannel, asha("en"), status, `{"error":"no credit"}`)
		unknown, refused := errors.Is(err, ErrUnknown), errors.Is(err, ErrRefused)
		if err == nil || unknown != (want == ErrUnknown) || refused != (want == ErrRefused) {
			t.Errorf("%d: %v, want %v", status, err, want)
		}
	}
	lost := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	defer lost.Close()
	refused := httptest.NewServer(http.NotFoundHandler())
	refused.Close()
	for address, unknown := range map[string]bool{lost.URL: true, refused.URL: false} {
		channels, err := Read([]byte(strings.ReplaceAll(jsonChannel, "URL", address)), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = channels.Senders["sms"].Send(t.Context(), asha("en"))
		if err == nil || errors.Is(err, ErrUnknown) != unknown {
			t.Errorf("unknown must be %v: %v", unknown, err)
		}
	}
}

type mailbox struct {
	got mail.Message
	err error
}

func (m *mailbox) Send(_ context.Context, message mail.Message) error { m.got = message; return m.err }

func TestAMailGatewayAndTheLog(t *testing.T) {
	box := &mailbox{}
	channels, err := Read([]byte(`{"sms":{"adapter":"smtp","address":"91{to}@gateway.example",
"subject":"SMS",`+templates+`},"whatsapp":{"adapter":"log",`+templates+`}}`), box)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := channels.Senders["sms"].Send(t.Context(), asha("en")); err != nil ||
		box.got.To != "919876543210@gateway.example" || !strings.HasPrefix(box.got.Text, "Token T-014") {
		t.Errorf("%+v: %v", box.got, err)
	}
	if id, err := channels.Senders["whatsapp"].Send(t.Context(), asha("en")); err != nil || id != "logged" {
		t.Errorf("%s %v", id, err)
	}
}

func TestAWrongFileIsNamed(t *testing.T) {
	text := func(text string) string {
		return `{"sms":{"adapter":"log","templates":{"near":{"en":{"id":"1","text":"` + text + `"}}}}}`
	}
	with := func(old, new string) string {
		return strings.NewReplacer("URL", "https://a.in", old, new).Replace(jsonChannel)
	}
	gateway := `{"mail":{"adapter":"smtp","address":"{text}@gw",` + templates + `}}`
	for document, want := range map[string]string{
		gateway:                                                     "mail/address needs the place {to}",
		`{"pigeon":{"adapter":"log"}}`:                              "key pigeon",
		`{"sms":{"adapter":"log","colour":1}}`:                      "colour",
		`{"sms":{"adapter":"log"}}`:                                 "sms/templates has no entry",
		`{"sms":{"adapter":"fax",` + templates + `}}`:               "sms/adapter",
		`{"sms":{"adapter":"smtp",` + templates + `}}`:              "SMTP_URL",
		`{"sms":{"adapter":"http",` + templates + `}}`:              "sms/url",
		strings.Replace(jsonChannel, "URL", "https://a.in", 1):      "",
		with("{text}", "text"):                                      "body needs the place {text}",
		with("application/json", "text/plain"):                      "type is neither",
		text("Token {#var#}"):                                       "templates/near/en needs the place {#var#} twice",
		text("{#var#} {#var#} {#url#} {#url#}"):                     "{#url#} more than once",
		text("{#var#} {#var#} {#name#}"):                            "neither",
		text("{#var#} {#var#}" + strings.Repeat("x", 700)):          "longer",
		strings.Replace(text("{#var#} {#var#}"), `"1"`, `""`, 1):    "has no id",
		strings.Replace(text("{#var#} {#var#}"), "near", "far", 1):  "near or called",
		strings.Replace(text("{#var#} {#var#}"), `"en"`, `"fr"`, 1): "no screen",
	} {
		_, err := Read([]byte(document), map[bool]mail.Mailer{true: &mailbox{}}[strings.Contains(document, `"mail"`)])
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s\n%v, want %s", document, err, want)
		}
	}
}

// A registered place takes thirty characters. A longer value is cut after thirty characters, not bytes.
func TestALongValueIsCut(t *testing.T) {
	got := Template{Text: "{#var#}|{#var#}|{#url#}"}.fill([]string{"T-014", strings.Repeat("ಕ", 40)}, "x")
	if want := "T-014|" + strings.Repeat("ಕ", longestValue) + "|x"; got != want {
		t.Errorf("it is %q", got)
	}
}

// A mail server that fails may have accepted the mail, so the message is not sent again.
func TestAMailServerThatFailsMayHaveSent(t *testing.T) {
	channels, err := Read([]byte(`{"sms":{"adapter":"smtp","address":"{to}@gateway.example",`+templates+`}}`),
		&mailbox{err: io.ErrUnexpectedEOF})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := channels.Senders["sms"].Send(t.Context(), asha("en")); !errors.Is(err, ErrUnknown) {
		t.Errorf("the error is %v", err)
	}
}
