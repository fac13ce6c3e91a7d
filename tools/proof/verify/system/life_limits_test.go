package system

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestTheLimitsOfALifesCallsHold sends, for each field, valid values up to the limit, which must be accepted, and
// invalid ones, which must be rejected.
func TestTheLimitsOfALifesCallsHold(t *testing.T) {
	o := newOffice(t, ways(running)[1])
	long := func(n int) string { return strings.Repeat("न", n) }
	later := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	desk := "PUT /api/visits/desks/" + o.consultant.id
	for _, limit := range []struct {
		call, stage, field string
		body               object
		valid, invalid     []any
	}{
		{"call", "waiting", "counter", object{"consultant_id": o.consultant.id},
			[]any{"", "3", long(12), nil}, []any{long(13), "a\u202eb", 3}},
		{"call", "waiting", "consultant_id", object{}, []any{o.consultant.id}, []any{"", nil, 7, object{}}},
		{"hold", "waiting", "reason", object{}, []any{"papers", "payment", "person", "other"},
			[]any{"", "Papers", "lunch", nil, 1}},
		{"hold", "waiting", "note", object{"reason": "papers"}, []any{"", long(499), long(500), "a\nb"},
			[]any{long(501), "a\x00b", 1}},
		{"hold", "waiting", "until", object{"reason": "late"}, []any{later(30 * time.Second)},
			[]any{later(-time.Second), later(25 * time.Hour), "soon", "", nil, 5}},
		{"transfer", "waiting", "note", object{"service_id": o.serviceID}, []any{"", long(1999), long(2000)},
			[]any{long(2001), "a\u0007b", 1}},
		{"transfer", "waiting", "service_id", object{}, []any{o.serviceID}, []any{"", "7", 7, object{}}},
		{"pin", "line", "consultant_id", object{}, []any{o.consultant.id, nil}, []any{7, object{}}},
		{"move", "line", "reason", object{"before": o.reach(t, "line", nil).ID, "force": true},
			[]any{"x", long(199), long(200)}, []any{"", "  ", long(201), "a\x00b", 1}},
		{"move", "line", "before", object{"reason": "x", "force": true}, []any{nil}, []any{"7", unknownUser, 7}},
		{"move", "line", "force", object{"before": o.reach(t, "line", nil).ID, "reason": "x"},
			[]any{true}, []any{"yes", 1}},
		{"class", "new", "class", object{}, []any{"normal", "priority", "deadline"},
			[]any{"", "appointment", "Normal", nil, 1}},
		{"reopen", "left", "note", object{}, []any{"", long(2000)}, []any{long(2001), 1}},
		{"correct", "new", "name", object{}, []any{"X", long(100)}, []any{"", " ", long(101), "\u200b", 1}},
		{"correct", "new", "phone", object{}, []any{"9845012345"},
			[]any{"", "984501234", "98450123456", "९८४५०१२३४५", 9845012345}},
		{"correct", "new", "notes", object{}, []any{"", long(2000)}, []any{long(2001), 1}},
		{"correct", "new", "service_id", object{}, []any{o.serviceID}, []any{"", "7", 7}},
		{desk, "", "state", object{}, []any{"open", "break", "last", "off"}, []any{"", "Open", "closed", nil, 1}},
		{desk, "", "counter", object{"state": "open"}, []any{"", long(12)}, []any{long(13), 1}},
		{desk, "", "until", object{"state": "open"}, []any{nil, later(30 * time.Second)},
			[]any{later(-time.Second), later(25 * time.Hour), "soon", 5}},
		{desk, "", "backAt", object{"state": "break"}, []any{nil, later(30 * time.Second)},
			[]any{later(-time.Second), later(25 * time.Hour), "soon", 5}},
	} {
		for i, value := range append(append([]any{}, limit.valid...), limit.invalid...) {
			o.tryLimit(t, limit.call, limit.stage, limit.field, limit.body, value, i < len(limit.valid))
		}
	}
}

// tryLimit sends one value of a field. call is an action on a visit of the stage, or a method and a path.
func (o *office) tryLimit(t *testing.T, call, stage, field string, body object, value any, valid bool) {
	t.Helper()
	sent := object{field: value}
	for name, other := range body {
		sent[name] = other
	}
	method, path, whole := strings.Cut(call, " ")
	if !whole {
		v := o.reach(t, stage, o.consultant)
		method, path = http.MethodPost, "/api/visits/"+v.ID+"/"+call
	}
	got := o.way.send(t, o.admin, ask{method: method, path: path, body: sent})
	var answer struct {
		Code   string
		Fields map[string]string
	}
	got.json(t, &answer)
	named := answer.Fields[field] != ""
	switch {
	case valid && got.status != http.StatusOK:
		t.Errorf("%s with %s %.40v: %d %.200s", call, field, value, got.status, got.body)
	case !valid && (got.status != http.StatusBadRequest && got.status != http.StatusUnprocessableEntity || !named &&
		got.status == http.StatusBadRequest && answer.Code == "validation"):
		t.Errorf("%s with %s %.40v: %d %.200s", call, field, value, got.status, got.body)
	}
}
