package chaos

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"baari.dev/tools/stack"
)

// Most runs include the office's midnight. PostgreSQL's clock decides the day, so the run chooses a time zone instead
// of changing the clock. The zone is none of IANA's: its offset puts midnight into the time at which robots work.
// PostgreSQL reads the offset from the zone's name (in POSIX form), and Go from a file of that name in ZONEINFO.

const (
	nearUTC = time.Hour // offsets closer to UTC are shifted by a day, so that a day counted in UTC is always wrong
	halfDay = 12 * time.Hour
	oneDay  = 24 * time.Hour
)

// zoneWithMidnight returns a zone in which a day begins at the given time, to the second.
func zoneWithMidnight(at time.Time) *time.Location {
	ahead := oneDay - time.Duration(at.Unix()%int64(oneDay/time.Second))*time.Second
	if ahead > halfDay {
		ahead -= oneDay
	}
	if ahead.Abs() < nearUTC {
		ahead += oneDay
	}
	sign, abs := "-", ahead // POSIX offsets count westwards
	if ahead < 0 {
		sign, abs = "+", -ahead
	}
	seconds := int(abs / time.Second)
	name := fmt.Sprintf("<OFC>%s%02d:%02d:%02d", sign, seconds/3600, seconds/60%60, seconds%60)
	return time.FixedZone(name, int(ahead/time.Second))
}

// placeMidnight sets the time zone of all services started later, so that its midnight is at the given time.
func (r *run) placeMidnight(at time.Time) error {
	r.zone, r.midnight = zoneWithMidnight(at), at.Truncate(time.Second)
	zones := filepath.Join(r.options.Data, "zones")
	if err := os.MkdirAll(zones, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(zones, r.zone.String()), zoneFile(r.zone), 0o600); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(r.options.Root, "services", "office", "office.json"))
	if err != nil {
		return err
	}
	var office map[string]any
	if err := json.Unmarshal(text, &office); err != nil {
		return err
	}
	office["timeZone"] = r.zone.String()
	// Robots do not wait a minute for a visitor. The rest of the policy is the default.
	office["queue"] = map[string]any{"missAfterSeconds": 0}
	office["messages"], office["messageHours"] = "on", map[string]any{"from": 0, "until": 24}
	if text, err = json.Marshal(office); err != nil {
		return err
	}
	file := filepath.Join(r.options.Data, "office.json")
	r.settings = []string{"ZONEINFO=" + zones, "OFFICE_FILE=" + file, "MESSAGES=" + r.provider.channels()}
	return os.WriteFile(file, text, 0o600)
}

// zoneFile encodes a zone with one offset as in RFC 8536, version 1.
func zoneFile(zone *time.Location) []byte {
	const abbreviation = "OFC\x00"
	_, offset := time.Time{}.In(zone).Zone()
	file := bytes.NewBufferString("TZif")
	file.Write(make([]byte, 16))                                               // version and reserved bytes
	for _, count := range []uint32{0, 0, 0, 0, 1, uint32(len(abbreviation))} { // no transitions, one type
		file.Write(binary.BigEndian.AppendUint32(nil, count))
	}
	file.Write(binary.BigEndian.AppendUint32(nil, uint32(int32(offset))))
	file.Write([]byte{0, 0}) // no daylight saving time, index 0 of the abbreviations
	file.WriteString(abbreviation)
	return file.Bytes()
}

// variant returns the settings with which this run starts services.
func (r *run) variant() stack.Variant { return stack.Variant{Programs: r.planted, Env: r.settings} }

// restartWithMidnight restarts all services with a zone whose midnight is at the given time. No visit may exist yet.
func (r *run) restartWithMidnight(ctx context.Context, at time.Time) error {
	if err := r.placeMidnight(at); err != nil {
		return err
	}
	r.system.StopServices()
	return r.system.StartServices(ctx, r.variant())
}

// untilMidnight returns the time until the end of the office's day.
func (r *run) untilMidnight(now time.Time) time.Duration {
	local := now.In(r.zone)
	return time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, r.zone).Sub(now)
}
