package postgres

import (
	"context"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5"
)

// Args are the values of a statement's @names. pgx.NamedArgs parses the text on every call; Args parses each text once,
// because statements are constants and parsing one takes longer than sending it.
type Args map[string]any

// numbered is a statement with $1, $2, ... in place of its @names, and these names in the same order.
type numbered struct {
	sql   string
	names []string
}

var errNoValue = errors.New("a name of the statement has no value")

// statements has the parsed statements, by their text.
var statements sync.Map

// RewriteQuery implements pgx.QueryRewriter. It returns an error for a name without a value. Values that the statement
// does not name are ignored, so that several statements can share Args.
func (a Args) RewriteQuery(ctx context.Context, conn *pgx.Conn, sql string, _ []any) (string, []any, error) {
	read, known := statements.Load(sql)
	if !known {
		made, err := a.number(ctx, conn, sql)
		if err != nil {
			return "", nil, err
		}
		read, _ = statements.LoadOrStore(sql, made)
	}
	statement := read.(numbered)
	values := make([]any, len(statement.names))
	for i, name := range statement.names {
		value, given := a[name]
		if !given {
			return "", nil, errNoValue
		}
		values[i] = value
	}
	return statement.sql, values, nil
}

// number parses the text with pgx and gives each name its position.
func (a Args) number(ctx context.Context, conn *pgx.Conn, sql string) (numbered, error) {
	own := pgx.NamedArgs{}
	for name := range a {
		own[name] = name
	}
	text, order, err := own.RewriteQuery(ctx, conn, sql, nil)
	if err != nil {
		return numbered{}, err
	}
	made := numbered{sql: text, names: make([]string, len(order))}
	for i, name := range order {
		var given bool
		if made.names[i], given = name.(string); !given {
			return numbered{}, errNoValue
		}
	}
	return made, nil
}
