package audit

import (
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// This file has the events that audit publishes (docs/events.md). Audit follows its own feed, so each event becomes a
// record of the trail.

type readPayload struct {
	Filters filters `json:"filters"`
	Rows    int     `json:"rows"`
}

type filters struct {
	Entity    string `json:"entity,omitempty"`
	EntityID  string `json:"entity_id,omitempty"`
	StartDate string `json:"start_date,omitempty"`
	EndDate   string `json:"end_date,omitempty"`
	Query     string `json:"q,omitempty"` // only its beginning: the trail must not store searched names
	Page      int    `json:"page,omitzero"`
	Limit     int    `json:"limit,omitzero"`
	Detail    bool   `json:"detail,omitzero"`
}

// trailRead returns the event of a read of the trail. records is the number of records that the read returned.
func trailRead(f Filter, page, limit, records int) outbox.Change {
	return outbox.Change{
		Type: contract.AuditRead, Entity: contract.EntityAudit, EntityID: "trail",
		After: readPayload{Rows: records, Filters: filters{
			Entity: f.Entity, EntityID: f.EntityID, StartDate: f.StartDate, EndDate: f.EndDate,
			Query: beginning(f.Query), Page: page, Limit: limit,
		}},
	}
}

func beginning(text string) string {
	characters := []rune(text)
	return string(characters[:min(len(characters), 2)])
}

// visitsExported returns the event of an export. visits is the number of exported visits. detail reports whether the
// file has the columns of detailColumns.
func visitsExported(days Days, detail bool, visits int) outbox.Change {
	return outbox.Change{
		Type: contract.ExportExported, Entity: contract.EntityExport, EntityID: days.Start + "_" + days.End,
		After: readPayload{Rows: visits, Filters: filters{StartDate: days.Start, EndDate: days.End, Detail: detail}},
	}
}
