package visits

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"baari.dev/services/visits/visit"
)

// column maps a column of the table visits to a field of visit.Visit.
type column struct {
	name   string
	write  writes
	read   string // expression that reads it from v; "": v.name
	insert string // expression that the database computes at registration, in place of the field's value
	scan   func(*visit.Visit) any
	value  func(visit.Visit) any
}

// writes are the statements that write the value of a field.
type writes uint8

const (
	onInsert writes = 1 << iota
	onUpdate
)

// visitColumns is the one list of columns: all statements that read or write visits are built from it. A list of visits is
// read by an outer join, with one row of NULLs when there is none; every column can be read from that row.
var visitColumns = []column{
	text("id", onInsert, func(v *visit.Visit) *string { return &v.ID }).as("v.id::text"),
	text("office_day", 0, func(v *visit.Visit) *string { return &v.Day }).as("v.office_day::text").computed("counter.day"),
	value("token_no", 0, func(v *visit.Visit) *int { return &v.TokenNo }).as("coalesce(v.token_no, 0)").
		computed("counter.last - @count + n.ordinality"),
	text("name", onInsert, func(v *visit.Visit) *string { return &v.Name }),
	text("phone", onInsert, func(v *visit.Visit) *string { return &v.Phone }),
	text("service_id", onInsert, func(v *visit.Visit) *string { return &v.ServiceID }).as("v.service_id::text"),
	text("service_name", onInsert, func(v *visit.Visit) *string { return &v.ServiceName }),
	text("status", onInsert|onUpdate, func(v *visit.Visit) *string { return (*string)(&v.Status) }),
	value("consultant_id", onUpdate, func(v *visit.Visit) **string { return &v.ConsultantID }),
	value("consultant_name", onUpdate, func(v *visit.Visit) **string { return &v.ConsultantName }),
	text("reception_notes", onInsert, func(v *visit.Visit) *string { return &v.ReceptionNotes }),
	text("pa_notes", onUpdate, func(v *visit.Visit) *string { return &v.PANotes }),
	text("session_notes", onUpdate, func(v *visit.Visit) *string { return &v.SessionNotes }),
	timestamp("created_at", 0, func(v *visit.Visit) *time.Time { return &v.CreatedAt }).computed("coalesce(@at::timestamptz, now())"),
	timestamp("updated_at", onUpdate, func(v *visit.Visit) *time.Time { return &v.UpdatedAt }).computed("coalesce(@at::timestamptz, now())"),
	value("decided_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.DecidedAt }),
	value("started_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.StartedAt }),
	value("completed_at", onUpdate, func(v *visit.Visit) **time.Time { return &v.CompletedAt }),
	text("created_by", onInsert, func(v *visit.Visit) *string { return &v.CreatedBy }),
	text("created_by_name", onInsert, func(v *visit.Visit) *string { return &v.CreatedByName }),
	value("decided_by", onUpdate, func(v *visit.Visit) **string { return &v.DecidedBy }),
	value("decided_by_name", onUpdate, func(v *visit.Visit) **string { return &v.DecidedByName }),
	value("started_by", onUpdate, func(v *visit.Visit) **string { return &v.StartedBy }),
	value("completed_by", onUpdate, func(v *visit.Visit) **string { return &v.CompletedBy }),
	text("notice_version", 0, func(v *visit.Visit) *string { return &v.NoticeVersion }).
		computed("coalesce((SELECT notice_version FROM office), '')"),
	value("version", onUpdate, func(v *visit.Visit) *int64 { return &v.Version }).as("coalesce(v.version, 0)"),
}

// value is a column whose Go type has a value for NULL, or that is read by an expression that is never NULL.
func value[T any](name string, write writes, field func(*visit.Visit) *T) column {
	return column{
		name: name, write: write,
		scan:  func(v *visit.Visit) any { return field(v) },
		value: func(v visit.Visit) any { return *field(&v) },
	}
}

// text is a column that is read as "" when it is NULL.
func text(name string, write writes, field func(*visit.Visit) *string) column {
	c := value(name, write, field)
	c.scan = func(v *visit.Visit) any { return (*zeronull.Text)(field(v)) }
	return c
}

// timestamp is a column that is read as the zero time when it is NULL.
func timestamp(name string, write writes, field func(*visit.Visit) *time.Time) column {
	c := value(name, write, field)
	c.scan = func(v *visit.Visit) any { return (*zeronull.Timestamptz)(field(v)) }
	return c
}

func (c column) as(expression string) column {
	c.read = expression
	return c
}

func (c column) computed(expression string) column {
	c.insert = expression
	return c
}

// The lists of columns in statements: what a SELECT from v reads, and what is written from the rows n.
var (
	columns                         = columnList(func(c column) (string, bool) { return c.expression(), true })
	insertedColumns, insertedValues = columnList(column.inserts), columnList(func(c column) (string, bool) {
		_, inserted := c.inserts()
		if c.insert != "" {
			return c.insert, inserted
		}
		return "n." + c.name, inserted
	})
	updatedColumns = columnList(func(c column) (string, bool) { return c.name, c.write&onUpdate != 0 })
	updatedValues  = columnList(func(c column) (string, bool) { return "n." + c.name, c.write&onUpdate != 0 })
)

func (c column) expression() string {
	if c.read != "" {
		return c.read
	}
	return "v." + c.name
}

func (c column) inserts() (name string, ok bool) {
	return c.name, c.write&onInsert != 0 || c.insert != ""
}

func columnList(of func(column) (string, bool)) string {
	var list []string
	for _, c := range visitColumns {
		if text, included := of(c); included {
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

// rowsOf encodes the columns that a statement writes as the argument of jsonb_populate_recordset.
func rowsOf(visits []visit.Visit, statement writes) ([]byte, error) {
	rows := make([]map[string]any, len(visits))
	for i, v := range visits {
		rows[i] = map[string]any{"id": v.ID}
		for _, c := range visitColumns {
			if c.write&statement != 0 {
				rows[i][c.name] = c.value(v)
			}
		}
	}
	return json.Marshal(rows)
}

// scanSnapshot reads a row of columns and momentColumns. The visit of a row of NULLs has no id.
func scanSnapshot(row pgx.CollectableRow) (s snapshot, err error) {
	fields := make([]any, 0, len(visitColumns)+5)
	for _, c := range visitColumns {
		fields = append(fields, c.scan(&s.Visit))
	}
	return s, row.Scan(append(fields, s.At.fields()...)...)
}
