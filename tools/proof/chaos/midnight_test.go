package chaos

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAZoneHasItsMidnightAtTheGivenTime(t *testing.T) {
	for hour := range 24 {
		at := time.Date(2026, 11, 23, hour, 17, 42, 0, time.UTC)
		zone := zoneWithMidnight(at)
		if local := at.In(zone); local.Hour() != 0 || local.Minute() != 0 || local.Second() != 0 {
			t.Errorf("at %s it is %s in %s", at, local, zone)
		}
		if before, utc := at.Add(-time.Second).In(zone), at.Add(-time.Second); before.Day() == utc.Day() &&
			at.In(zone).Day() == at.Day() {
			t.Errorf("%s has its midnight at that of UTC", zone)
		}
	}
}

// Services find the file by ZONEINFO. LoadLocationFromTZData decodes the file in the same way.
func TestGoReadsTheZoneFile(t *testing.T) {
	for _, at := range []time.Time{
		time.Date(2026, 11, 23, 6, 17, 42, 0, time.UTC), time.Date(2026, 11, 23, 18, 17, 42, 0, time.UTC),
	} {
		zone := zoneWithMidnight(at)
		read, err := time.LoadLocationFromTZData(zone.String(), zoneFile(zone))
		if err != nil {
			t.Fatal(err)
		}
		_, want := at.In(zone).Zone()
		if _, got := at.In(read).Zone(); got != want || read.String() != zone.String() {
			t.Errorf("%s is %d, not %d", read, got, want)
		}
	}
}

func TestTheServicesGetAnOfficeDocumentWithTheZone(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "services", "office"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(
		filepath.Join(root, "services", "office", "office.json"), []byte(`{"brand":"B","timeZone":"Asia/Kolkata"}`),
		0o600,
	); err != nil {
		t.Fatal(err)
	}
	r := newRun(Options{Root: root, Data: t.TempDir()})
	var err error
	if r.provider, err = openProvider(); err != nil {
		t.Fatal(err)
	}
	defer r.provider.close()
	if err := r.placeMidnight(time.Now()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(strings.TrimPrefix(r.settings[1], "OFFICE_FILE="))
	if err != nil || !strings.Contains(string(text), "OFC") {
		t.Errorf("%s, %v", text, err)
	}
}
