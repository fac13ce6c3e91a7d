package directory

import (
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

// The public document has no settings that are not public and no special days that are over. Its ETag changes with it.
func TestThePublicOfficeCanBeCached(t *testing.T) {
	f := newFront(t, func(d *office.Document) {
		d.SpecialDays = []office.SpecialDay{{Date: "2020-01-02"}, {Date: "2999-01-02"}}
	})
	first := f.call(t, "", "GET", "/api/office", "")
	answer := decode[office.Public](t, first.Body.Bytes())
	if answer.Version != 1 || len(answer.SpecialDays) != 1 || answer.SpecialDays[0].Date != "2999-01-02" ||
		strings.Contains(first.Body.String(), "perSlot") || answer.Appointments.DaysAhead != 365 {
		t.Errorf("answered %+v", answer)
	}
	tag := first.Header().Get("ETag")
	again := f.call(t, "", "GET", "/api/office", "", "If-None-Match", tag)
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("answered %d with the same ETag", again.Code)
	}
	f.call(t, "admin", "PUT", "/api/office/settings/board",
		`{"value":{"board":{"next":2,"notice":"Tea is free"}},"version":1}`)
	if w := f.call(t, "", "GET", "/api/office", "", "If-None-Match", tag); w.Code != http.StatusOK {
		t.Errorf("a change answered %d", w.Code)
	}
}

// A form accepts no day or time that the settings exclude.
func TestRequestsKeepToTheSettings(t *testing.T) {
	f := newFront(t, func(d *office.Document) {
		d.Appointments.DaysAhead, d.Appointments.LeadMinutes = 10, 120
		d.Yearly = []office.YearlyDay{{Month: 12, Day: 1, Name: "Founders' day"}}
	})
	now := time.Date(2026, time.November, 30, 9, 30, 0, 0, time.UTC) // a Monday
	for slot, field := range map[string]string{
		"2026-11-30 10:00": "preferredTime", "2026-11-30 12:00": "", "2026-12-01 10:00": "preferredDate",
		"2026-12-10 10:00": "", "2026-12-11 10:00": "preferredDate",
	} {
		date, at, _ := strings.Cut(slot, " ")
		text := func(value string) wire.Field[string] { return wire.Field[string]{Value: value, Present: true} }
		_, err := appointmentBody{
			Name: text("Asha"), Phone: text("9876543210"), Email: text("asha@example.com"), Service: text("ITR Filing"),
			PreferredDate: text(date), PreferredTime: text(at),
		}.check(now, f.office.Load().Document)
		if _, named := fault.Of(err).Fields[field]; field == "" && err != nil || field != "" && !named {
			t.Errorf("%s: %v", slot, err)
		}
	}
}

// The office document needs no session. Its services are the active ones of the database.
func TestOfficeIsPublic(t *testing.T) {
	f := newFront(t)
	list := decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services
	f.call(t, "admin", "PUT", "/api/services/"+list[0].ID, `{"name":"ITR Filing","est_minutes":30,"is_active":0}`)
	f.call(t, "admin", "POST", "/api/services", `{"name":"Appeals","est_minutes":90}`)

	w := f.call(t, "", "GET", "/api/office", "")
	document := decode[office.Document](t, w.Body.Bytes())
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "public, max-age=0, must-revalidate" {
		t.Fatalf("answered %d, %v", w.Code, w.Header())
	}
	services := document.Services
	if len(services) != 11 || services[0].Name != "GST Registration" || services[10].Name != "Appeals" {
		t.Errorf("the office offers %+v", services)
	}
	if document.Brand != f.office.Load().Brand || !reflect.DeepEqual(document.Notice, f.office.Load().Notice) {
		t.Errorf("answered %+v", document)
	}
}

func TestOfficeFileIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "office.json")
	if _, err := office.ReadFile(path); err == nil {
		t.Error("a missing file was read")
	}
	data := strings.Replace(string(office.Default), "Lekha Tax & Advisory", "Hisab", 1)
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if document, err := office.ReadFile(path); err != nil || document.Brand != "Hisab" {
		t.Errorf("read %s, %v", document.Brand, err)
	}
}
