package office_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/office"
)

// example is the file of the default office document.
const example = "office.json"

func defaultFile(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestDefaultOfficeMatchesTheSpecification(t *testing.T) {
	document, err := office.Read([]byte(defaultFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"Monday-Friday 9 AM 7 PM", "Saturday 9 AM 5 PM", "Sunday closed"} {
		hours := document.Hours[i]
		got := hours.Days + " closed"
		if hours.Open != nil {
			got = hours.Days + " " + *hours.Open + " " + *hours.Close
		}
		if got != want {
			t.Errorf("hours %d are %s, want %s", i, got, want)
		}
	}
	if document.Claims != (office.Claims{Clients: "500+", Years: "15+", Support: "24/7"}) {
		t.Errorf("the claims are %+v", document.Claims)
	}
	if slots := strings.Join(document.AppointmentSlots, " "); slots != "09:00 10:00 11:00 12:00 14:00 15:00 16:00 17:00" {
		t.Errorf("the slots are %s", slots)
	}
	if document.PublishedWait != 22 || document.PublishedPeak != "2:00 PM - 4:00 PM" ||
		document.TimeZone != "Asia/Kolkata" || document.Theme != "light" {
		t.Errorf("wait %d, peak %s, zone %s, theme %s", document.PublishedWait, document.PublishedPeak, document.TimeZone,
			document.Theme)
	}
}

func TestInvalidOfficeFileErrorNamesTheKey(t *testing.T) {
	whole := defaultFile(t)
	replace := func(old, new string) string {
		if !strings.Contains(whole, old) {
			t.Fatalf("the default office has no %s", old)
		}
		return strings.Replace(whole, old, new, 1)
	}
	const offered = `"languages": ["en", "hi", "kn", "ta", "te", "mr"]`
	const shown = `"board": { "next": 4, "notice": "" }`
	policy := func(keys string) string { return replace(`"brand"`, `"queue": `+keys+`, "brand"`) }
	for _, c := range []struct{ what, file, key string }{
		{"an unknown key", replace(`"brand"`, `"motto": "x", "brand"`), "motto"},
		{"an unknown key inside", replace(`"debug": true`, `"debug": true, "chat": true`), "/features"},
		{"a key in another case", replace(`"brand"`, `"Brand"`), "Brand"},
		{"a key twice", replace(`"theme": "light"`, `"theme": "light", "theme": "dark"`), "theme"},
		{"a missing key", replace(`"theme": "light"`, `"mapsQuery2": ""`), "mapsQuery2"},
		{"a missing key inside", replace(`, "debug": true`, ``), "/features/debug"},
		{"a missing key in a list", replace(`, "est_minutes": 30`, ``), "/services/0/est_minutes"},
		{"a number as text", replace(`"publishedWait": 22`, `"publishedWait": "22"`), "/publishedWait"},
		{"an empty brand", replace(`"brand": "Lekha Tax & Advisory"`, `"brand": " "`), "/brand"},
		{"an invalid email", replace(`"email": "desk@lekha.example"`, `"email": "desk"`), "/email"},
		{"an unknown time zone", replace(`Asia/Kolkata`, `Asia/Calcuttta`), "/timeZone"},
		{"an empty list", replace(`["2nd Floor, 11th Main Road", "Jayanagar 4th Block", "Bengaluru 560011"]`, `[]`),
			"/address"},
		{"half an opening time", replace(`"open": null, "close": null`, `"open": "9 AM", "close": null`), "/hours/2"},
		{"a service twice", replace(`"GST Registration"`, `"itr filing"`), "/services/1/name"},
		{"a service of 481 minutes", replace(`"est_minutes": 60`, `"est_minutes": 481`), "/services/3/est_minutes"},
		{"a translation to an unknown language",
			replace(`"hi": { "name": "आयकर`, `"xx": { "name": "आयकर`),
			"/services/0/texts/xx"},
		{"a reason in an unknown language", replace(`"texts": {`, `"texts": {"xx": {"title": "a", "text": ""},`),
			"/whyUs/0/texts/xx"},
		{"certifications in an unknown language",
			replace(`"certificationTexts": {`, `"certificationTexts": {"xx": {},`), "/certificationTexts/xx"},
		{"a translation of no certification", replace(`"GST Practitioners": "`, `"GST Experts": "`),
			"/certificationTexts/hi/GST Experts"},
		{"a certification without a text", replace(`"GST Practitioners": "जीएसटी व्यवसायी"`, `"GST Practitioners": ""`),
			"/certificationTexts/hi/GST Practitioners"},
		{"a translation without a description",
			replace(
				`, "description": "ವೇತನ, ವ್ಯವಹಾರ ಮತ್ತು `+
					`ಬಂಡವಾಳ ಲಾಭದ ರಿಟರ್ನ್‌ಗಳು"`, ``,
			),
			"/services/0/texts/kn/description"},
		{"a paper without a label", replace(`"label": "PAN card"`, `"label": " "`), "/services/0/documents/0/label"},
		{"a paper with a long label", replace(`"PAN card"`, `"`+strings.Repeat("a", 121)+`"`),
			"/services/0/documents/0/label"},
		{"a paper with a wrong key", replace(`"key": "pan"`, `"key": "The PAN"`), "/services/0/documents/0/key"},
		{"a paper twice", replace(`"key": "aadhaar"`, `"key": "pan"`), "/services/0/documents/1/key"},
		{"a paper in an unknown language", replace(`"labels": { "hi"`, `"labels": { "xx"`),
			"/services/0/documents/0/labels/xx"},
		{"a paper without labels",
			replace(`"required": true,`, `"required": true }, { "key": "x", "label": "x", "required": true,`),
			"/services/0/documents/0/labels"},
		{"31 papers", replace(`"documents": [`, `"documents": [`+strings.Repeat(
			`{ "key": "x", "label": "x", "required": true, "labels": {} },`, 31)), "/services/0/documents"},
		{"a notice in an unknown language",
			replace(`"translations": {`, `"translations": {"fr": {"title": "a", "text": "b"}, `),
			"/notice/translations/fr"},
		{"an unknown purpose of the notice", replace(`{ "key": "serve", "title": "Your visit"`,
			`{ "key": "adverts", "title": "Your visit"`), "/notice/purposes/0/key"},
		{"a purpose twice", replace(`{ "key": "messages", "title": "Messages"`,
			`{ "key": "serve", "title": "Messages"`), "/notice/purposes/1/key"},
		{"an offline desk that is neither on nor off", replace(`"offline": { "on": true }`, `"offline": {}`), "/offline/on"},
		{"a notice that is not in an offered language", replace(`"te": {
        "title"`, `"ur": {
        "title"`), "/notice/translations/te"},
		{"a purpose that is not in an offered language", replace(`{ "key": "serve", "title": "तुमची भेट"`,
			`{ "key": "later", "title": "तुमची भेट"`), "/notice/translations/mr/purposes"},
		{"a notice that does not say in each language who registers a child",
			replace(`"children": "अठरा वर्षांखालील मुलाची नोंदणी आई-वडील किंवा पालक करतात आणि मुलासोबत थांबतात."`,
				`"children": " "`), "/notice/translations/mr/children"},
		{"a notice without a text in a language",
			replace(`"translations": {`, `"translations": {"ur": {"title": "a", "text": " "}, `),
			"/notice/translations/ur/text"},
		{"an invalid slot", replace(`"09:00"`, `"25:00"`), "/appointmentSlots/0"},
		{"a wait below 0", replace(`"publishedWait": 22`, `"publishedWait": -1`), "/publishedWait"},
		{"an unknown value for appointments", replace(`"appointments": "live"`, `"appointments": "maybe"`),
			"/features/appointments"},
		{"an unknown registration", replace(`"registration": "open"`, `"registration": "ask"`), "/features/registration"},
		{"messages from an hour to the same",
			replace(`"brand"`, `"messageHours": {"from": 9, "until": 9}, "brand"`), "/messageHours"},
		{"messages after midnight",
			replace(`"brand"`, `"messageHours": {"from": 9, "until": 25}, "brand"`), "/messageHours"},
		{"messages without an end", replace(`"brand"`, `"messageHours": {"from": 9}, "brand"`), "/messageHours"},
		{"an unknown theme", replace(`"theme": "light"`, `"theme": "blue"`), "/theme"},
		{"a normal allowance below 0", policy(`{"allowances": {"normal": -1}}`), "/queue/allowances/normal"},
		{"a deadline allowance of 241", policy(`{"allowances": {"deadline": 241}}`), "/queue/allowances/deadline"},
		{"a priority allowance of 241", policy(`{"allowances": {"priority": 241}}`), "/queue/allowances/priority"},
		{"an appointment allowance of 241", policy(`{"allowances": {"appointment": 241}}`), "/queue/allowances/appointment"},
		{"no bypass", policy(`{"maxBypass": 0}`), "/queue/maxBypass"},
		{"21 bypasses", policy(`{"maxBypass": 21}`), "/queue/maxBypass"},
		{"a return after no visitor", policy(`{"return": "after:0"}`), "/queue/return"},
		{"a return after ten", policy(`{"return": "after:10"}`), "/queue/return"},
		{"an unknown return", policy(`{"return": "first"}`), "/queue/return"},
		{"a miss after 601 seconds", policy(`{"missAfterSeconds": 601}`), "/queue/missAfterSeconds"},
		{"an appointment of 241 minutes late", policy(`{"lateAppointmentMinutes": 241}`), "/queue/lateAppointmentMinutes"},
		{"a sweep before closing", policy(`{"sweepMinutesAfterClosing": -1}`), "/queue/sweepMinutesAfterClosing"},
		{"a nudge after 29 seconds", policy(`{"nudgeAfterSeconds": 29}`), "/queue/nudgeAfterSeconds"},
		{"a nudge after 1801 seconds", policy(`{"nudgeAfterSeconds": 1801}`), "/queue/nudgeAfterSeconds"},
		{"a call repeated -1 times", policy(`{"autoRecall": -1}`), "/queue/autoRecall"},
		{"a call repeated 4 times", policy(`{"autoRecall": 4}`), "/queue/autoRecall"},
		{"a miss by itself after 59 seconds", policy(`{"autoMissAfterSeconds": 59}`), "/queue/autoMissAfterSeconds"},
		{"a miss by itself after 3601 seconds", policy(`{"autoMissAfterSeconds": 3601}`), "/queue/autoMissAfterSeconds"},
		{"an unknown key of the policy", policy(`{"maxWait": 5}`), "/queue"},
		{"a policy that is null", policy(`null`), "/queue"},
		{"no language", replace(offered, `"languages": []`), "/languages"},
		{"an unknown language", replace(offered, `"languages": ["en", "xx"]`), "/languages/1"},
		{"a voice without a language", replace(offered, offered+`, "voice": {"order": [], "most": 2}`), "/voice/order"},
		{"an unknown language of the voice", replace(offered, offered+`, "voice": {"order": ["xx"], "most": 2}`),
			"/voice/order/0"},
		{"a language of the voice twice", replace(offered, offered+`, "voice": {"order": ["kn", "kn"], "most": 2}`),
			"/voice/order/1"},
		{"four languages of a call", replace(offered, offered+`, "voice": {"order": ["kn"], "most": 4}`), "/voice/most"},
		{"a voice without most", replace(offered, offered+`, "voice": {"order": ["kn"]}`), "/voice/most"},
		{"five next tokens", replace(shown, `"board": {"next": 5, "notice": ""}`), "/board/next"},
		{"next tokens below 0", replace(shown, `"board": {"next": -1, "notice": ""}`), "/board/next"},
		{"a board without a notice", replace(shown, `"board": {"next": 3}`), "/board/notice"},
		{"a long notice of the board",
			replace(shown, `"board": {"next": 3, "notice": "`+strings.Repeat("ಕ", 81)+`"}`), "/board/notice"},
		{"an unknown key of the board", replace(shown, `"board": {"next": 3, "notice": "", "names": true}`),
			"/board"},
		{"a language twice", replace(offered, `"languages": ["en", "hi", "en"]`), "/languages/2"},
		{"no JSON", "brand: Lekha", "invalid"},
		{"text after the end", whole + "{}", "invalid"},
	} {
		_, err := office.Read([]byte(c.file))
		if err == nil || !strings.Contains(err.Error(), c.key) {
			t.Errorf("%s: the error %v does not name %s", c.what, err, c.key)
		}
	}
}

func TestKeysThatThePolicyLeavesOutHaveTheirDefaults(t *testing.T) {
	file := defaultFile(t)
	document, err := office.Read([]byte(file))
	if err != nil || document.Queue != office.DefaultPolicy() {
		t.Errorf("without the key: %+v, %v", document.Queue, err)
	}
	file = strings.Replace(file, `"brand"`, `"queue": {"maxBypass": 20, "allowances": {"priority": 0}, "return": "end",
		"handPick": false, "missAfterSeconds": 600, "nudgeAfterSeconds": 30, "autoRecall": 0,
		"autoMissAfterSeconds": 60, "requireCounter": true}, "brand"`, 1)
	want := office.DefaultPolicy()
	want.MaxBypass, want.Allowances.Priority, want.Return, want.HandPick, want.MissAfterSeconds = 20, 0, "end", false, 600
	want.NudgeAfterSeconds, want.AutoRecall, want.AutoMissAfterSeconds, want.RequireCounter = 30, 0, 60, true
	if document, err = office.Read([]byte(file)); err != nil || document.Queue != want {
		t.Errorf("with some keys: %+v, %v", document.Queue, err)
	}
}

func TestADocumentWithoutLanguagesOffersEnglish(t *testing.T) {
	file := regexp.MustCompile(`"languages": \[.*\],`).ReplaceAllString(defaultFile(t), "")
	document, err := office.Read([]byte(file))
	if err != nil || !slices.Equal(document.Languages, []string{"en"}) {
		t.Errorf("%v, %v", document.Languages, err)
	}
}

func TestAPageHasTheOfficesTextsInItsLanguageOnly(t *testing.T) {
	document, err := office.Read([]byte(defaultFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	kannada := document.In("kn").Notice.Translations
	if len(kannada) != 1 || kannada["kn"].Text != document.Notice.Translations["kn"].Text || kannada["kn"].Title == "" {
		t.Errorf("in Kannada: %v", kannada)
	}
	if urdu := document.In("ur").Notice; urdu.Translations != nil || urdu.Title != document.Notice.Title {
		t.Errorf("without a translation: %v", urdu)
	}
	page := document.In("kn")
	reason, certifications := page.WhyUs[0].Texts, page.CertificationTexts
	if len(reason) != 1 || reason["kn"].Title == "" || len(certifications) != 1 || certifications["kn"] == nil {
		t.Errorf("the landing page in Kannada: %v, %v", reason, certifications)
	}
	if len(document.WhyUs[0].Texts) != 5 || len(document.CertificationTexts) != 5 {
		t.Error("the document itself has changed")
	}
	if len(document.Notice.Translations) != 5 {
		t.Errorf("the document itself has changed: %v", document.Notice.Translations)
	}
}

func TestErrorNamesEveryInvalidKey(t *testing.T) {
	file := strings.NewReplacer(`"theme": "light"`, `"theme": "blue"`, `"publishedWait": 22`,
		`"publishedWait": -1`).Replace(defaultFile(t))
	_, err := office.Read([]byte(file))
	if err == nil || !strings.Contains(err.Error(), "/theme") || !strings.Contains(err.Error(), "/publishedWait") {
		t.Errorf("the error is %v", err)
	}
}

func TestAFileIsReadByItsName(t *testing.T) {
	document, err := office.ReadFile(example)
	if err != nil || document.Brand == "" || len(document.Services) != 11 {
		t.Errorf("%+v, %v", document, err)
	}
	if _, err := office.ReadFile("missing.json"); err == nil || !strings.HasPrefix(err.Error(), "OFFICE_FILE: ") {
		t.Errorf("a missing file: %v", err)
	}
}
