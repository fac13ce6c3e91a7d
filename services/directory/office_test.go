package directory

import (
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/outbox"
)

// The office document needs no session. Its services are the active ones of the database.
func TestOfficeIsPublic(t *testing.T) {
	f := newFront(t)
	list := decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services
	f.call(t, "admin", "PUT", "/api/services/"+list[0].ID, `{"name":"ITR Filing","est_minutes":30,"is_active":0}`)
	f.call(t, "admin", "POST", "/api/services", `{"name":"Appeals","est_minutes":90}`)

	w := f.call(t, "", "GET", "/api/office", "")
	document := decode[office.Document](t, w.Body.Bytes())
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "public, max-age=60" {
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

// A document is published if and only if it has changed.
func TestChangedOfficeIsPublishedOnce(t *testing.T) {
	f := newFront(t)
	same := New(f.db.Pool, outbox.New(contract.SourceDirectory, f.db.Pool), nil, *f.office.Load())
	if err := same.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	changed := *f.office.Load()
	changed.Notice.Version = "2027-01"
	if err := f.Reload(t.Context(), changed); err != nil {
		t.Fatal(err)
	}
	published := f.events(t, contract.OfficeLoaded)
	if len(published) != 2 || published[0].Before != nil || published[0].EntityID != "office" ||
		published[0].Actor != nil {
		t.Fatalf("published %d times", len(published))
	}
	before, after := decode[office.Document](t, published[1].Before), decode[office.Document](t, published[1].After)
	if before.Notice.Version != "2026-11" || after.Notice.Version != "2027-01" {
		t.Errorf("published a change from %s to %s", before.Notice.Version, after.Notice.Version)
	}
	w := f.call(t, "", "GET", "/api/office", "")
	if document := decode[office.Document](t, w.Body.Bytes()); document.Notice.Version != "2027-01" {
		t.Errorf("the document still has the notice %s", document.Notice.Version)
	}
}

func TestReloadRejectsAnotherTimeZone(t *testing.T) {
	f := newFront(t)
	moved := *f.office.Load()
	moved.TimeZone = "Europe/Berlin"
	if err := f.Reload(t.Context(), moved); err == nil || !strings.Contains(err.Error(), "/timeZone") {
		t.Errorf("answered %v", err)
	}
	if f.office.Load().TimeZone != "Asia/Kolkata" {
		t.Error("the document was replaced")
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
