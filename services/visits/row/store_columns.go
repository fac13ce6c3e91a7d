package row

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"baari.dev/services/visits/visit"
)

// column maps a column of the table visits to a field of visit.Visit. fields.go lists the columns.
type column struct {
	name   string
	write  writes
	read   string // expression that reads the column from v; "": "v." and the name
	insert string // expression that the database computes at a registration, instead of the field's value
	scan   func(*visit.Visit) any
	value  func(visit.Visit) any
}

// writes is a set of statements that write the value of a field.
type writes uint8

// The statements: a registration, and a change.
const (
	OnInsert writes = 1 << iota
	OnUpdate
)

// value is a column whose Go type can represent NULL, or whose expression is never NULL.
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

// number is a column that is read as 0 when it is NULL.
func number[T any](name string, write writes, field func(*visit.Visit) *T) column {
	c := value(name, write, field)
	c.read = "coalesce(v." + name + ", 0)"
	return c
}

// flag is a column that is read as false when it is NULL.
func flag(name string, write writes, field func(*visit.Visit) *bool) column {
	c := value(name, write, field)
	c.read = "coalesce(v." + name + ", false)"
	return c
}

// castToText returns the column, which is a uuid or a date, with its value read as text.
func (c column) castToText() column {
	c.read = "v." + c.name + "::text"
	return c
}

// orNull returns the column with "" written as NULL.
func (c column) orNull() column {
	given := c.value
	c.value = func(v visit.Visit) any {
		if value := given(v); value != "" {
			return value
		}
		return nil
	}
	return c
}

// computed returns the column with an expression that computes its value at a registration.
func (c column) computed(expression string) column {
	c.insert = expression
	return c
}

// Expressions of a registration. counter is the row of the day, which the registration has advanced by @count.
const (
	counterDay       = "counter.day"
	counterNumber    = "counter.last - @count + n.ordinality"
	registrationTime = "coalesce(@at::timestamptz, now())"
	registrationRank = "greatest(coalesce(@at::timestamptz, now()), n.appointment_at)"
	chosenLanguage   = "coalesce(nullif(n.language, ''), (SELECT language FROM office), '')"
	CurrentNotice    = "coalesce((SELECT notice_version FROM office), '')"
)

// The last change of the visit in v, from its event. LastNone replaces LastColumns in statements that do not read it.
const (
	LastColumns = `, l.type, coalesce(nullif(l.actor->>'id', ''), l.actor->>'role'), l.actor->>'name', l.created_at,
	l.before ? 'stage'`
	LastNone = `, NULL, NULL, NULL, NULL::timestamptz, NULL::boolean`
	LastJoin = `
LEFT JOIN LATERAL (
  SELECT o.type, o.actor, o.created_at, o.before FROM outbox o
  WHERE o.entity = 'visit' AND o.entity_id = v.id::text AND o.version = v.version AND v.version > 0
    AND v.updated_at > now() - interval '1 minute'
) l ON true`
)

// The summary of the papers of the visit in v.
const documentsColumn = `, (SELECT d.summary FROM visit_documents d WHERE d.visit_id = v.id)`

// The consultant of the appointment of the visit in v.
const askedColumn = `, CASE WHEN v.appointment_id IS NOT NULL THEN (
  SELECT jsonb_build_object('id', c.id, 'name', c.name)
  FROM appointments a JOIN consultants c ON c.id = a.consultant_id WHERE a.id = v.appointment_id) END`

// The policy of the line for a visit that is called.
const policyColumn = `, CASE WHEN v.stage = 'called' THEN (SELECT policy::text FROM office) END`

// The lists of columns in statements: for a SELECT from v, and for a write of the rows n.
var (
	Columns         = columnList(column.isRead, column.readValue) + documentsColumn + askedColumn + policyColumn
	InsertedColumns = columnList(column.isInserted, column.columnName)
	InsertedValues  = columnList(column.isInserted, column.insertedValue)
	UpdatedColumns  = columnList(column.isUpdated, column.columnName)
	UpdatedValues   = columnList(column.isUpdated, column.givenValue)
)

func (c column) isRead() bool     { return true }
func (c column) isInserted() bool { return c.write&OnInsert != 0 || c.insert != "" }
func (c column) isUpdated() bool  { return c.write&OnUpdate != 0 }

func (c column) columnName() string { return c.name }
func (c column) givenValue() string { return "n." + c.name }

func (c column) readValue() string     { return cmp.Or(c.read, "v."+c.name) }
func (c column) insertedValue() string { return cmp.Or(c.insert, c.givenValue()) }

// columnList joins an expression of each included column with commas, in the order of visitColumns.
func columnList(included func(column) bool, expression func(column) string) string {
	var list []string
	for _, c := range visitColumns {
		if included(c) {
			list = append(list, expression(c))
		}
	}
	return strings.Join(list, ", ")
}

// InsertedWith returns InsertedValues with other expressions for the columns with these names.
func InsertedWith(expressions map[string]string) string {
	return columnList(column.isInserted, func(c column) string {
		return cmp.Or(expressions[c.name], c.insertedValue())
	})
}

// RowsOf returns the argument of jsonb_populate_recordset with the columns that a statement writes. It encodes them one
// by one, because a map for each row would take three times as long.
func RowsOf(visits []visit.Visit, statement writes) ([]byte, error) {
	var text bytes.Buffer
	rows := jsontext.NewEncoder(&text)
	err := rows.WriteToken(jsontext.BeginArray)
	for _, v := range visits {
		err = errors.Join(err, rows.WriteToken(jsontext.BeginObject), writeField(rows, "id", v.ID))
		for _, c := range visitColumns {
			if c.write&statement != 0 && c.name != "id" {
				err = errors.Join(err, writeField(rows, c.name, c.value(v)))
			}
		}
		err = errors.Join(err, rows.WriteToken(jsontext.EndObject))
	}
	err = errors.Join(err, rows.WriteToken(jsontext.EndArray))
	return text.Bytes(), err
}

func writeField(row *jsontext.Encoder, name string, value any) error {
	return errors.Join(row.WriteToken(jsontext.String(name)), json.MarshalEncode(row, value))
}

// scanOne reads a row of Columns, PointColumns and LastColumns. A row of NULLs results in a visit without an id.
func scanOne(row pgx.CollectableRow) (Snapshot, error) { return ScanSnapshot(row) }

// ScanSnapshot reads a row like scanOne, and the columns that follow into more.
func ScanSnapshot(row pgx.CollectableRow, more ...any) (s Snapshot, err error) {
	fields := make([]any, 0, len(visitColumns)+16+len(more))
	for _, c := range visitColumns {
		fields = append(fields, c.scan(&s.Visit))
	}
	var policy *string
	fields = append(fields, &s.Documents, &s.AskedFor, &policy)
	var event, actorID, name *string
	var at *time.Time
	var staged *bool
	fields = append(fields, s.At.Fields()...)
	fields = append(append(fields, &event, &actorID, &name, &at, &staged), more...)
	if err := row.Scan(fields...); err != nil {
		return s, err
	}
	if s.Visit.Stage == visit.StageCalled {
		if s.Policy, err = policyOf(policy); err != nil {
			return s, err
		}
	}
	if event != nil {
		s.Last = &visit.Last{Event: *event, At: *at, Staged: staged != nil && *staged}
		if actorID != nil {
			s.Last.ActorID, s.Last.Name = *actorID, *name
		}
	}
	return s, nil
}
