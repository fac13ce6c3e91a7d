package canary

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// office is one database with one visitor and one member of staff, a folder of logs and a page.
func office(t *testing.T, log, page string) places {
	t.Helper()
	admin := os.Getenv("TEST_DATABASE_URL")
	if admin == "" {
		t.Fatal("TEST_DATABASE_URL is not set: run `go run ./tools/baari test go`, " +
			"or `go run ./tools/baari deps` and set what it prints")
	}
	conn, err := pgx.Connect(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	const schema = "canary_test"
	for _, statement := range []string{
		`DROP SCHEMA IF EXISTS ` + schema + ` CASCADE`, `CREATE SCHEMA ` + schema,
		`CREATE TABLE ` + schema + `.users AS SELECT 'Al' AS name, 'asha@example.com' AS email`,
		`CREATE TABLE ` + schema + `.visits AS SELECT 'Asha Deshpande' AS name, '9811122233' AS phone,
			'' AS reception_notes, 'a word to the pa' AS pa_notes, '' AS session_notes`,
		`CREATE TABLE ` + schema + `.appointments AS
			SELECT name, NULL::text AS phone, '' AS email, '' AS message FROM ` + schema + `.visits`,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _, _ = conn.Exec(context.Background(), `DROP SCHEMA `+schema+` CASCADE`) })
	address := admin + map[bool]string{true: "&", false: "?"}[strings.Contains(admin, "?")] + "search_path=" + schema
	logs := t.TempDir()
	if err := os.WriteFile(filepath.Join(logs, "visits.log"), []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(server.Close)
	return places{
		Databases: map[string]string{"auth": address, "visits": address, "directory": address}, Logs: logs,
		Metrics: []string{server.URL},
	}
}

// T30: personal data of a database is found in a log and on a page, and the error does not repeat it.
func TestPersonalDataInLogsAndPagesIsFound(t *testing.T) {
	for _, leak := range []string{
		"9811122233", "Asha Deshpande", "asha@example.com", "a word to the pa", "Authorization: Bearer abc",
		"session_token=abc",
	} {
		for place, searched := range map[string]places{
			"visits.log, line 2": office(t, "level=INFO msg=started\ncause=\""+leak+"\"\n", "up 1"),
			"line 1":             office(t, "level=INFO", `calls{who="`+leak+`"} 1`),
		} {
			err := searched.check(t.Context())
			// ASVS 16.2.5
			if !errors.Is(err, errFound) || !strings.Contains(err.Error(), place) || strings.Contains(err.Error(), leak) {
				t.Errorf("%s: %v", leak, err)
			}
		}
	}
}

func TestACleanSystemPasses(t *testing.T) {
	if err := office(t, "level=INFO msg=started Also", "up 1").check(t.Context()); err != nil {
		t.Error(err)
	}
}

// A check without places or without texts proves nothing.
func TestACheckWithoutTextsOrPlacesFails(t *testing.T) {
	searched := office(t, "", "")
	searched.Logs = t.TempDir()
	if err := searched.check(t.Context()); err == nil {
		t.Error("no log was read")
	}
}
