package breach

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
	"baari.dev/services/operate/advice"
	"baari.dev/services/operate/subject"
	"baari.dev/services/platform/testkit"
)

// responses returns the services' answers by service and path.
func responses() map[string]string {
	return map[string]string{
		"audit /internal/breach": `{
			"exports":[{"userId":"a1","name":"Asha","email":"asha@example.com",
				"start":"2026-01-01","end":"2026-01-31","times":2,"rows":900}],
			"reads":[{"userId":"a1","name":"[Asha](https://evil.example)","email":"asha@example.com","times":4,"rows":80}]}`,
		"audit /internal/people": `{
			"people":[{"id":"r1","name":"Ravi","email":"ravi@example.com","role":"reception"}]}`,
		"directory /internal/breach": `{
			"readers":[{"userId":"r1","call":"appointments","requests":3}],
			"affected":[{"name":"Meena","phone":"9811100003","email":"=cmd@example.com","requests":1,"readers":["r1"]}]}`,
		"visits /internal/breach": `
			{"reader":{"userId":"r1","call":"today","visits":2,
				"first":"2026-11-20T06:00:00.000Z","last":"2026-11-20T07:00:00.000Z"}}
			{"visitor":{"name":"","phone":"","visits":4,"readers":["r1"],"exported":true}}
			{"visitor":{"name":"\u200b=1+1","phone":"0811100001","visits":2,"readers":["r1","gone"],"exported":true}}`,
	}
}

// open returns an installation whose services send the responses; received is called with each request.
func open(t *testing.T, send map[string]string, received func(call string, body map[string]any)) operate.Installation {
	t.Helper()
	installation := operate.Installation{Addresses: map[string]string{}, Keys: testkit.Keys(contract.CallerOperator)}
	for _, service := range []string{"visits", "directory", "audit"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var body map[string]any
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			call := service + " " + r.URL.Path
			received(call, body)
			if send[call] == "" {
				http.NotFound(w, r)
				return
			}
			_, _ = w.Write([]byte(send[call]))
		}))
		t.Cleanup(server.Close)
		installation.Addresses[service] = server.URL
	}
	return installation
}

func ignore(string, map[string]any) {}

var november = Question{From: "2026-11-01", To: "2026-11-20"}

func TestTheReportNamesReadersAndTheFileThePersonsToNotify(t *testing.T) {
	var exported any
	installation := open(t, responses(), func(call string, body map[string]any) {
		if call == "visits /internal/breach" {
			exported = body["exported"]
		}
	})
	var list, out bytes.Buffer
	report, err := Ask(t.Context(), installation, november, &list)
	if err != nil {
		t.Fatal(err)
	}
	if days, _ := json.Marshal(exported); string(days) != `[{"end":"2026-01-31","start":"2026-01-01"}]` {
		t.Errorf("the request to visits has the exports %s", days)
	}
	text, marked := strings.CutPrefix(list.String(), "\ufeff")
	if !marked || strings.Count(text, "\r\n") != 3 {
		t.Errorf("a spreadsheet program does not read %q as UTF-8", list.String())
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("the file is %q, %v", rows, err)
	}
	for i, want := range [][]string{
		columns,
		{"'\u200b=1+1", "'0811100001", "", "2", "0", "Ravi <ravi@example.com>; gone", "yes"},
		{"Meena", "9811100003", "'=cmd@example.com", "0", "1", "Ravi <ravi@example.com>", "no"},
	} {
		if !slices.Equal(rows[i], want) {
			t.Errorf("row %d is %q, want %q", i, rows[i], want)
		}
	}
	if err := report.Write(&out, "affected.csv", time.Second); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"from 2026-11-01 to 2026-11-20", "1 visitors were read or exported (1 of them exported), 1 persons'",
		"affected.csv", "have been erased",
		`Asha (asha\@example.com): 2 of the days 2026-01-01 to 2026-01-31, 900 rows`,
		`Ravi \<ravi\@example.com\>: today, 2 visits, 2026-11-20 06:00 to 2026-11-20 07:00`, "appointments, 3 requests",
		`- \[Asha\](https\://evil.example) (asha\@example.com): 4 times, 80 records`,
	} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q is missing in\n%s", text, out.String())
		}
	}
	for _, personal := range []string{"0811100001", "Meena"} {
		if strings.Contains(out.String(), personal) {
			t.Errorf("the report contains %q, which only the file may", personal)
		}
	}
}

func TestAnInvalidQuestionIsRejectedBeforeAnyRequest(t *testing.T) {
	installation := open(t, responses(), func(call string, _ map[string]any) { t.Errorf("request %s", call) })
	for _, q := range []Question{
		{}, {From: "2026-11-20"}, {From: "20.11.2026", To: "2026-11-20"}, {From: "2026-11-20", To: "2026-11-19"},
	} {
		var said advice.Advice
		if _, err := Ask(t.Context(), installation, q, &bytes.Buffer{}); !errors.As(err, &said) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	one := november
	one.Phone = "98"
	if _, err := Ask(t.Context(), installation, one, &bytes.Buffer{}); !errors.Is(err, subject.ErrPhone) {
		t.Errorf("got %v", err)
	}
}

func TestATruncatedListIsAnError(t *testing.T) {
	send := responses()
	whole := send["visits /internal/breach"]
	send["visits /internal/breach"] = whole[:len(whole)-20]
	if _, err := Ask(t.Context(), open(t, send, ignore), november, &bytes.Buffer{}); err == nil {
		t.Error("a truncated list is accepted")
	}
}
