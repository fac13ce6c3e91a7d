package canary

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"baari.dev/tools/stack"
)

const selectTables = `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`

// stored returns each table, as service.table, that contains one of the words in any column, as text or as bytes. The
// databases' addresses must be those of their owners.
func (p places) stored(ctx context.Context, words ...string) (found []string, err error) {
	var errs []error
	for service, address := range p.Databases {
		tables, err := storedIn(ctx, address, words)
		if err != nil {
			errs = append(errs, fmt.Errorf("search %s: %w", service, err))
		}
		for _, table := range tables {
			found = append(found, service+"."+table)
		}
	}
	return found, errors.Join(errs...)
}

func storedIn(ctx context.Context, address string, words []string) (found []string, err error) {
	tables, err := list(ctx, address, selectTables)
	if err != nil {
		return nil, err
	}
	err = stack.WithConnection(ctx, address, func(connection *pgx.Conn) error {
		for _, table := range tables {
			var stands bool
			// A table name cannot be a parameter.
			query := `SELECT EXISTS (SELECT FROM ` + pgx.Identifier{*table}.Sanitize() + ` r, unnest($1::text[]) word
			WHERE strpos(r::text, word) > 0 OR strpos(r::text, encode(convert_to(word, 'UTF8'), 'hex')) > 0)`
			if err := connection.QueryRow(ctx, query, words).Scan(&stands); err != nil {
				return fmt.Errorf("%s: %w", *table, err)
			}
			if stands {
				found = append(found, *table)
			}
		}
		return nil
	})
	return found, err
}
