package office

import (
	"os"
	"strings"
	"testing"
)

const example = "../testdata/office.json"

func TestTheDefaultOfficeIsTaken(t *testing.T) {
	for _, file := range []string{example, "../../services/directory/office.json"} {
		document, err := ReadFile(file)
		if err != nil || document.Brand == "" || len(document.Services) != 11 {
			t.Errorf("%s: %v, %+v", file, err, document)
		}
	}
}

// The office file is validated, and whoever wrote it is told which key to mend.
func TestABadOfficeNamesItsKey(t *testing.T) {
	good, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"brand"`, `"brnad"`, "brnad"},
		{`"phone": `, `"Phone": `, "key /phone is missing"},
		{`"Lekha Tax & Advisory",`, `"  ",`, "key /brand is empty"},
		{`"area": "`, `"area": 3, "x": "`, "area"},
		{`"Asia/Kolkata"`, `"Asia/Bengaluru"`, "key /timeZone is no IANA time zone"},
		{`"9 AM"`, `"nine"`, "key /hours/0/open is not a time like 9 AM"},
		{`"Saturday"`, `"Caturday"`, "key /hours/1/days"},
		{`"open": null`, `"open": "9 AM"`, "key /hours/2 needs both"},
		{`"name": "ITR Filing"`, `"name": ""`, "key /services/0/name is empty"},
		{`"est_minutes": 30`, `"est_minutes": 0`, "key /services/0/est_minutes is not from 1 to 480"},
		{`"09:00"`, `"9:00"`, "key /appointmentSlots/0"},
		{`"live"`, `"alive"`, "key /features/appointments may be live, simulated"},
		{`"debug": true`, `"debugs": true`, "debugs"},
		{`"version": "2026-11",`, ``, "key /notice/version is missing"},
		{`"theme": "light"`, `"theme": "blue"`, "key /theme may be light, dark, system"},
		{`"theme": "light"`, `"theme": "light", "colour": 1`, "colour"},
	} {
		changed := strings.Replace(string(good), c.from, c.to, 1)
		if changed == string(good) {
			t.Fatalf("%s is not in the example", c.from)
		}
		if _, err := Read([]byte(changed)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s -> %s: %v, want %s", c.from, c.to, err, c.want)
		}
	}
	if _, err := Read(append(good, '{')); err == nil {
		t.Error("two documents in one file were taken")
	}
}
