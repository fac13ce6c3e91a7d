package auth

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/auth/data"
	"baari.dev/services/auth/devices"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/testkit"
)

type screen struct {
	ID, Kind, Name, QuietFrom, Voice string
	Series                           *string
	PairedAt, LastSeenAt, RevokedAt  *string
	Volume, Queue                    int
}

func (o *office) addScreen(admin person, kind, name string) (screen, string) {
	o.t.Helper()
	var got struct {
		Device screen
		Code   string `json:"pairing_code"`
	}
	o.call(admin.Token, "POST", "/api/devices", body("kind", kind, "name", name)).want(201).into(&got)
	return got.Device, got.Code
}

func (o *office) pair(code string, headers ...string) reply {
	o.t.Helper()
	return o.call("", "POST", "/api/devices/pair", body("code", code), headers...)
}

// paired creates a device of a kind and pairs it. It returns the device and its token.
func (o *office) paired(admin person, kind string) (screen, string) {
	o.t.Helper()
	made, code := o.addScreen(admin, kind, "Waiting room")
	var got struct{ Token string }
	o.pair(code).want(200).into(&got)
	return made, got.Token
}

func (o *office) introspected(token string) introspection {
	o.t.Helper()
	got, err := o.Introspect(context.Background(), introspectOf(token))
	if err != nil {
		o.t.Fatal(err)
	}
	return got
}

// gauges collects a metric of the paired devices and returns its labels, in order, and the value of each label.
func (o *office) gauges(name string) (labels []string, values []float64) {
	o.t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(o.devices.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		o.t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, metric := range family.GetMetric() {
			labels = append(labels, metric.GetLabel()[0].GetValue())
			values = append(values, metric.GetGauge().GetValue())
		}
	}
	if len(labels) == 0 {
		o.t.Fatalf("%s is not collected", name)
	}
	return labels, values
}

// A code is valid once, however it is typed. It is exchanged for a display's token, which does not expire.
func TestADisplayIsPairedOnce(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	made, code := o.addScreen(admin, devices.KindDisplay, "Waiting room")
	if len(code) != 14 || code[4] != '-' || code[9] != '-' || strings.ContainsAny(code, "ILOU") || made.PairedAt != nil {
		t.Fatalf("the code of %+v is %q", made, code)
	}
	var got struct {
		Device screen
		Token  string
	}
	typed := " " + strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(code, "-", " "), "0", "o")) + " "
	o.pair(typed).want(200).into(&got)
	o.pair(code).want(404)
	found := o.introspected(got.Token)
	if !found.Active || found.User.ID != made.ID || found.User.Role != "display" || found.ExpiresAt != nil ||
		found.User.Email != "" || found.SessionID != made.ID || got.Device.PairedAt == nil {
		t.Errorf("a display is introspected as %+v %+v", found, found.User)
	}
	if types := o.types(made.ID); types != "device_created device_paired" {
		t.Errorf("published %s", types)
	}
	last := o.events(made.ID)[1]
	if last.Actor.ID != made.ID || last.Actor.Role != "display" || strings.Contains(o.call(
		admin.Token, "GET", "/api/devices", "").want(200).body, got.Token) {
		t.Errorf("the pairing is %+v by %+v", last, last.Actor)
	}
	if n := o.count(`SELECT count(*) FROM outbox WHERE after::text LIKE '%' || $1 || '%'`, got.Token); n != 0 {
		t.Error("the token is in an event")
	}
}

// A code expires after ten minutes. Wrong codes that strangers try do not invalidate it.
func TestOnlyTimeEndsAPairingCode(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	_, late := o.addScreen(admin, devices.KindDisplay, "Hall")
	o.later(10 * time.Minute)
	o.pair(late).want(404)
	_, code := o.addScreen(admin, devices.KindDisplay, "Hall")
	for range 25 {
		o.pair("ZZZZ-ZZZZ-ZZZZ").want(404)
	}
	o.pair(code).want(200)
	o.pair("").want(400, `"code":"required"`)
}

// A client address can try five codes a minute, valid or not.
func TestTriesToPairAreLimited(t *testing.T) {
	redis := testkit.NewRedis(t)
	o := openLimited(t, limit.New(redis.Client, "auth"))
	for range 5 {
		o.pair("ZZZZ-ZZZZ", "X-Forwarded-For", "10.1.2.3").want(404)
	}
	o.pair("ZZZZ-ZZZZ", "X-Forwarded-For", "10.1.2.3").want(429)
	o.pair("ZZZZ-ZZZZ", "X-Forwarded-For", "10.1.2.4").want(404)
}

// A revoked display is rejected immediately and permanently. The event of the revocation ends its streams.
func TestARevokedDisplayIsUnknown(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	made, token := o.paired(admin, devices.KindDisplay)
	path := "/api/devices/" + made.ID
	o.call(token, "POST", "/api/devices/seen", `{"voice":"on"}`).want(200)
	o.call(admin.Token, "PUT", path, `{"revoked":true}`).want(200)
	o.call(token, "POST", "/api/devices/seen", `{"voice":"on"}`).want(401)
	if o.introspected(token).Active {
		t.Error("a revoked display is active")
	}
	o.call(admin.Token, "PUT", path, `{"name":"Other","revoked":true}`).want(200, `"name":"Waiting room"`)
	o.call(admin.Token, "PUT", path, `{"revoked":false}`).want(400, `"revoked":"invalid_flag"`)
	if types := o.types(made.ID); types != "device_created device_paired device_revoked" {
		t.Errorf("published %s", types)
	}
}

func TestARevokedDeviceIsNotPaired(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	made, code := o.addScreen(admin, devices.KindDisplay, "Hall")
	o.call(admin.Token, "PUT", "/api/devices/"+made.ID, `{"revoked":true}`).want(200)
	o.pair(code).want(404)
}

// Name, volume and quiet hours can be changed. Each kind of change has its event; a request without a change has none.
func TestAScreenIsRenamedAndItsVoiceSet(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	made, token := o.paired(admin, devices.KindDisplay)
	path := "/api/devices/" + made.ID
	change := `{"name":"Hall","volume":30,"quietFrom":"13:00","quietUntil":"14:30"}`
	for range 2 {
		o.call(admin.Token, "PUT", path, change).want(200, `"name":"Hall"`, `"volume":30`, `"quietFrom":"13:00"`)
	}
	if types := o.types(made.ID); types != "device_created device_paired device_renamed device_changed" {
		t.Errorf("published %s", types)
	}
	o.call(token, "POST", "/api/devices/seen", `{"voice":"blocked","queue":3}`).want(200, `"volume":30`)
	var list struct{ Devices []screen }
	o.call(admin.Token, "GET", "/api/devices", "").want(200).into(&list)
	if d := list.Devices[0]; d.Voice != "blocked" || d.Queue != 3 || d.LastSeenAt == nil {
		t.Errorf("the list shows %+v", d)
	}
	o.call(admin.Token, "PUT", path, `{"quietFrom":"","quietUntil":""}`).want(200, `"quietFrom":null`)
	for body, code := range map[string]string{
		`{"name":""}`: "required", `{"name":"` + strings.Repeat("x", 41) + `"}`: "too_long",
		`{"volume":101}`: "invalid_number", `{"quietFrom":"13:00"}`: "unknown_choice",
		`{"quietFrom":"25:00","quietUntil":"26:00"}`: "unknown_choice",
	} {
		o.call(admin.Token, "PUT", path, body).want(400, `:"`+code+`"`)
	}
	o.call(admin.Token, "PUT", "/api/devices/"+data.NewID(), `{"name":"A"}`).want(404)
	o.call(admin.Token, "PUT", "/api/devices/01890a5d-ac96-774b-bcce-b302099a8057", `{"name":"A"}`).want(404)
	o.call(token, "POST", "/api/devices/seen", `{"voice":"loud","queue":-1}`).want(400, "unknown_choice", "invalid_number")
}

// The metric counts paired screens that are not revoked, by their state. It does not count desks.
func TestScreensAreCountedByTheirState(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	counts := func() (list string) {
		states, values := o.gauges("baari_screens")
		for i, state := range states {
			list += fmt.Sprintf("%s %g ", state, values[i])
		}
		return list
	}
	check := func(what, want string) {
		t.Helper()
		if got := counts(); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	o.paired(admin, devices.KindDesk)
	o.addScreen(admin, devices.KindDisplay, "Not paired")
	check("without a screen", "blocked 0 silent 0 works 0 ")
	hall, token := o.paired(admin, devices.KindDisplay)
	check("paired, without a report", "blocked 0 silent 1 works 0 ")
	o.call(token, "POST", "/api/devices/seen", `{"voice":"on","queue":0}`).want(200)
	check("after a report", "blocked 0 silent 0 works 1 ")
	o.call(token, "POST", "/api/devices/seen", `{"voice":"blocked","queue":0}`).want(200)
	check("blocked", "blocked 1 silent 0 works 0 ")
	o.later(96 * time.Second)
	check("after 96 seconds", "blocked 0 silent 1 works 0 ")
	o.call(admin.Token, "PUT", "/api/devices/"+hall.ID, `{"revoked":true}`).want(200)
	check("removed", "blocked 0 silent 0 works 0 ")
}

// The metric has the time since each desk was last seen or, if never seen, paired; 0 for a series without a desk.
func TestDesksHaveTheirAgeBySeries(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	check := func(what string, want ...float64) {
		t.Helper()
		series, ages := o.gauges("baari_offline_desk_age_seconds")
		if len(series) != len(devices.AllSeries) {
			t.Fatalf("collected %q", series)
		}
		for i, age := range ages {
			if i >= len(want) && age != 0 || i < len(want) && math.Abs(age-want[i]) > 30 {
				t.Errorf("%s: series %s is %g s old", what, series[i], age)
			}
		}
	}
	check("without a desk")
	first, token := o.paired(admin, devices.KindDesk)
	o.paired(admin, devices.KindDesk)
	o.paired(admin, devices.KindDisplay)
	check("paired", 0, 0)
	o.later(time.Hour)
	check("after an hour", 3600, 3600)
	if _, err := o.devices.Desk(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	check("after a contact of the first", 0, 3600)
	o.later(time.Hour)
	o.call(admin.Token, "PUT", "/api/devices/"+first.ID, `{"revoked":true}`).want(200)
	check("after its removal", 0, 7200)
}

// Eight desks have the series A to H. The series of a revoked desk is free again after eight days.
func TestEachDeskHasItsOwnSeries(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	var first screen
	for i, series := range strings.Split(devices.AllSeries, "") {
		made, code := o.addScreen(admin, devices.KindDesk, "Desk "+series)
		o.pair(code).want(200)
		if made.Series == nil || *made.Series != series {
			t.Fatalf("desk %d has the series %v", i, made.Series)
		}
		if i == 0 {
			first = made
		}
	}
	another := body("kind", devices.KindDesk, "name", "One more")
	o.call(admin.Token, "POST", "/api/devices", another).wantCode(409, "series_taken")
	o.call(admin.Token, "PUT", "/api/devices/"+first.ID, `{"revoked":true}`).want(200)
	o.call(admin.Token, "POST", "/api/devices", another).wantCode(409, "series_taken")
	o.later(8 * 24 * time.Hour)
	admin.Token = o.signedIn(admin.Email)
	o.call(admin.Token, "POST", "/api/devices", another).want(201, `"series":"A"`)
}

// A desk that was never paired does not keep its series once its code has expired or it was revoked.
func TestADeskThatIsNotPairedHoldsNoSeries(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	first, _ := o.addScreen(admin, devices.KindDesk, "Mistyped")
	o.call(admin.Token, "PUT", "/api/devices/"+first.ID, `{"revoked":true}`).want(200)
	for range devices.AllSeries {
		o.addScreen(admin, devices.KindDesk, "Never paired")
	}
	another := body("kind", devices.KindDesk, "name", "One more")
	o.call(admin.Token, "POST", "/api/devices", another).wantCode(409, "series_taken")
	o.later(10 * time.Minute)
	admin.Token = o.signedIn(admin.Email)
	o.call(admin.Token, "POST", "/api/devices", another).want(201, `"series":"A"`)
	var list struct{ Devices []screen }
	o.call(admin.Token, "GET", "/api/devices", "").want(200).into(&list)
	if n := len(list.Devices); n != len(devices.AllSeries)+2 {
		t.Errorf("%d devices are listed", n)
	}
	if n := o.count(`SELECT count(*) FROM devices WHERE series = 'A' AND revoked_at IS NULL`); n != 1 {
		t.Errorf("%d desks have the series", n)
	}
}

// A display's token does not act as a user. A desk's token is not accepted as a bearer token.
func TestADeviceIsNoPerson(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	_, display := o.paired(admin, devices.KindDisplay)
	_, desk := o.paired(admin, devices.KindDesk)
	for _, call := range []struct{ method, path, body string }{
		{"GET", "/api/devices", ""}, {"POST", "/api/devices", body("kind", "display", "name", "A")},
		{"GET", "/api/users", ""}, {"GET", "/api/users/" + admin.ID, ""}, {"GET", "/api/auth/list-accounts", ""},
		{"POST", "/api/auth/change-password", body("currentPassword", password, "newPassword", newPassword)},
	} {
		if r := o.call(display, call.method, call.path, call.body); r.status != 403 {
			t.Errorf("%s %s by a display: %d %s", call.method, call.path, r.status, r.body)
		}
		if r := o.call(desk, call.method, call.path, call.body); r.status != 401 {
			t.Errorf("%s %s with a desk's token: %d %s", call.method, call.path, r.status, r.body)
		}
	}
	o.getSession(display).want(200, "null")
	o.call(admin.Token, "POST", "/api/devices/seen", `{"voice":"on"}`).want(403)
	asha := o.join("asha")
	o.call(asha.Token, "GET", "/api/devices", "").want(403)
	o.later(400 * 24 * time.Hour)
	if !o.introspected(display).Active || o.introspected(desk).Active {
		t.Error("a display is paired until it is revoked; a desk has no session")
	}
}

// A desk's token identifies the desk until it is revoked, but is not accepted as a bearer token. The next desk gets
// another series.
func TestADesksTokenNamesTheDesk(t *testing.T) {
	o := open(t)
	admin := o.admin("meera")
	first, token := o.paired(admin, devices.KindDesk)
	second, _ := o.paired(admin, devices.KindDesk)
	if *first.Series != "A" || *second.Series != "B" {
		t.Fatalf("the series are %s and %s", *first.Series, *second.Series)
	}
	deskOf := func(token string) devices.Desk {
		t.Helper()
		got, err := o.devices.Desk(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := deskOf(token); got != (devices.Desk{Active: true, ID: first.ID, Name: first.Name, Series: "A"}) {
		t.Errorf("the desk of the token is %+v", got)
	}
	if o.introspected(token).Active || deskOf("device-unknown").Active || deskOf(admin.Token).Active {
		t.Error("a desk's token is a bearer, or another token names a desk")
	}
	var list struct{ Devices []screen }
	o.call(admin.Token, "GET", "/api/devices", "").want(200).into(&list)
	if list.Devices[1].ID != first.ID || list.Devices[1].LastSeenAt == nil || list.Devices[0].LastSeenAt != nil {
		t.Errorf("the desks were seen: %+v", list.Devices)
	}
	_, display := o.paired(admin, devices.KindDisplay)
	o.call(admin.Token, "PUT", "/api/devices/"+second.ID, `{"name":"Hall","revoked":true}`).want(200, `"name":"Hall"`)
	if types := o.types(second.ID); !strings.HasSuffix(types, "device_renamed device_revoked") {
		t.Errorf("published %s", types)
	}
	o.call(admin.Token, "GET", "/api/devices", "").want(200).into(&list)
	if list.Devices[2].ID != second.ID || o.events(first.ID)[1].Actor.Role != "" {
		t.Errorf("the devices are %+v, the first was paired by %+v", list.Devices, o.events(first.ID)[1].Actor)
	}
	o.call(admin.Token, "PUT", "/api/devices/"+first.ID, `{"revoked":true}`).want(200)
	if deskOf(token).Active || deskOf(display).Active {
		t.Error("a revoked desk or a display is a desk")
	}
}
