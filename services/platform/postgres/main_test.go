package postgres_test

import (
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const shelves = `-- +goose Up
CREATE TABLE shelf (id integer PRIMARY KEY, note text NOT NULL DEFAULT '');
INSERT INTO shelf VALUES (1), (2);
-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON shelf TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
`

func shelfSet() postgres.Set {
	return postgres.Set{Name: "shelf", Files: fstest.MapFS{"0001_shelf.sql": {Data: []byte(shelves)}}}
}

func shop(t *testing.T) *testkit.Database {
	t.Helper()
	t.Parallel()
	return testkit.NewDatabase(t, shelfSet())
}
