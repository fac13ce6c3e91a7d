package stack

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/operate"
	"baari.dev/services/operate/backup"
	"baari.dev/services/platform/testkit"
)

// ledger is the schema of the backup tests in each service's database: numbered rows, and a stream head.
const ledger = `
CREATE TABLE stream_head (stream text PRIMARY KEY, epoch uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO stream_head VALUES ('s');
CREATE TABLE ledger (n int PRIMARY KEY, filling text NOT NULL)`

// operations is audit's table of operations, with a backup and a drill that are both a year old.
const operations = `
CREATE TABLE operations (name text PRIMARY KEY, done_at timestamptz NOT NULL);
INSERT INTO operations VALUES ('backup', now() - interval '1 year'), ('restore_drill', now() - interval '1 year')`

// doneAt returns the operations recorded in the last hour.
func doneAt(t *testing.T, at string) (names string) {
	t.Helper()
	ask(
		t, at,
		`SELECT coalesce(string_agg(name, ' ' ORDER BY name), '') FROM operations WHERE done_at > now() - interval '1 hour'`,
		&names,
	)
	return names
}

// ledgers starts a PostgreSQL with every service's database. It returns their URLs and a function that stops it.
func ledgers(t *testing.T, options Options) (map[string]DatabaseURLs, func()) {
	t.Helper()
	options.hasty = true
	servers, err := openServers(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	secrets, err := loadSecrets(options.Data + "/secrets.json")
	if err != nil {
		t.Fatal(err)
	}
	urls, err := makeDatabases(t.Context(), servers.Postgres(), secrets)
	if err != nil {
		t.Fatal(err)
	}
	return urls, servers.Stop
}

// restoreFrom restores a backup in the same way as baarictl does with the launcher.
func restoreFrom(t *testing.T, options Options, from io.Reader) error {
	t.Helper()
	return Restore(t.Context(), options, func() error { return backup.Read(t.Context(), from, options.Data) })
}

func ask(t *testing.T, at, statement string, into ...any) {
	t.Helper()
	connection, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close(context.Background()) }()
	if len(into) == 0 {
		_, err = connection.Exec(t.Context(), statement)
	} else {
		err = connection.QueryRow(t.Context(), statement).Scan(into...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestABackupUnderLoadHoldsAllEarlierCommitsAndNoPartialOne(t *testing.T) {
	options, _, _ := setup(t)
	urls, stop := ledgers(t, options)
	for _, service := range Services {
		ask(t, urls[service].Owner, ledger)
	}
	ask(t, urls["audit"].Owner, operations)
	if err := backup.Note(t.Context(), urls["audit"].Owner, backup.Copied); err != nil {
		t.Fatal(err)
	}
	if noted := doneAt(t, urls["audit"].Owner); noted != "backup" {
		t.Errorf("noted %q", noted)
	}
	writing, cease := context.WithCancel(t.Context())
	ceased := make(chan error, 1)
	go func() { ceased <- write(writing, urls["visits"].Owner) }()
	var before, after, kept, highest int
	count := func() (n int) {
		ask(t, urls["visits"].Owner, `SELECT count(*) FROM ledger`, &n)
		return n
	}
	for before < 500 {
		before = count()
		time.Sleep(10 * time.Millisecond)
	}
	var file bytes.Buffer
	err := WithServers(t.Context(), options, func() error {
		admin, err := operate.Administrator(options.Data) // the function that baarictl uses
		if err == nil {
			_, err = backup.Write(t.Context(), admin, options.Data, &file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	after = count()
	cease()
	if err := <-ceased; err != nil {
		t.Fatal(err)
	}
	var epoch, newEpoch string
	ask(t, urls["visits"].Owner, `SELECT epoch::text FROM stream_head`, &epoch)
	stop()

	restored := options // another installation: the restore is recorded in its audit database
	restored.Data = t.TempDir()
	if err := restoreFrom(t, restored, &file); err != nil {
		t.Fatal(err)
	}
	urls, stop = ledgers(t, restored)
	defer stop()
	ask(t, urls["visits"].App, `SELECT 1`, new(int)) // the restored system accepts the passwords of the old one
	ask(t, urls["visits"].Owner, `SELECT count(*), max(n) FROM ledger`, &kept, &highest)
	if kept < before || kept > after || highest != kept {
		t.Errorf("%d rows up to %d; there were %d before the backup and %d after it", kept, highest, before, after)
	}
	if noted := doneAt(t, urls["audit"].Owner); noted != "backup restore_drill" {
		t.Errorf("the restored installation has recorded %q", noted)
	}
	ask(t, urls["visits"].Owner, `SELECT epoch::text FROM stream_head`, &newEpoch)
	if newEpoch == epoch {
		t.Error("the restored stream continues in the old epoch")
	}
}

// write inserts large rows one by one until ctx ends, so that the backup copies files that are being changed.
func write(ctx context.Context, at string) error {
	connection, err := pgx.Connect(context.Background(), at)
	if err != nil {
		return err
	}
	defer func() { _ = connection.Close(context.Background()) }()
	for n := 1; ctx.Err() == nil; n++ {
		if _, err := connection.Exec(
			context.Background(), `INSERT INTO ledger VALUES ($1, $2)`, n, strings.Repeat("x", 1000),
		); err != nil {
			return err
		}
	}
	return nil
}

func TestARestoreDoesNotOverwriteADatabase(t *testing.T) {
	options, _, _ := setup(t)
	var advice Advice
	if err := restoreFrom(t, options, strings.NewReader("")); !errors.As(err, &advice) ||
		!strings.Contains(advice.Error(), "has a database already") {
		t.Errorf("got %v", err)
	}
}

func TestAFileThatIsNoBackupIsRejected(t *testing.T) {
	options, _, _ := setup(t)
	options.Data = t.TempDir()
	if err := restoreFrom(t, options, strings.NewReader("hello")); !errors.Is(err, backup.ErrForeign) {
		t.Errorf("got %v", err)
	}
}

// scripts replaces pg_dump and pg_restore by scripts that write a line to a log: their name, the name of the database,
// and whether they have a password.
func scripts(t *testing.T) (log string) {
	t.Helper()
	dir := t.TempDir()
	log = filepath.Join(dir, "log")
	script := `#!/bin/sh
for argument; do
  case $argument in
    --dbname=*) database=${argument#*@} ;;
    --file=*) echo copy > "${argument#--file=}" ;;
  esac
done
echo "$(basename "$0") ${database##*/} ${PGPASSWORD:+with a password}" >> "` + log + `"
`
	for _, name := range []string{"pg_dump", "pg_restore"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return log
}

func TestADumpHasEveryDatabaseAndALoadBeginsANewEpoch(t *testing.T) {
	options, _, _ := setup(t)
	options.Data = t.TempDir()
	urls, stop := ledgers(t, options)
	defer stop()
	for _, service := range Services {
		ask(t, urls[service].Owner, ledger)
	}
	ask(t, urls["audit"].Owner, operations)
	base, done, err := options.servers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	log, dir := scripts(t), filepath.Join(t.TempDir(), "backup")
	if err := backup.Dump(t.Context(), base.Postgres, dir); err != nil {
		t.Fatal(err)
	}
	if noted := doneAt(t, urls["audit"].Owner); noted != "backup" {
		t.Errorf("recorded %q", noted)
	}
	var advice Advice
	if err := backup.Dump(t.Context(), base.Postgres, dir); !errors.As(err, &advice) {
		t.Errorf("a second dump into the folder: %v", err)
	}

	var epoch, newEpoch string
	ask(t, urls["visits"].Owner, `SELECT epoch::text FROM stream_head`, &epoch)
	connected, err := pgx.Connect(t.Context(), urls["visits"].App)
	if err != nil {
		t.Fatal(err)
	}
	err = backup.Load(t.Context(), base.Postgres, dir)
	if !errors.As(err, &advice) || !strings.Contains(advice.Error(), "Clients are connected to baari_visits") {
		t.Errorf("a load with a client connected: %v", err)
	}
	if err := connected.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the backup is loaded", func() bool {
		return backup.Load(t.Context(), base.Postgres, dir) == nil
	})
	ask(t, urls["visits"].Owner, `SELECT epoch::text FROM stream_head`, &newEpoch)
	if noted := doneAt(t, urls["audit"].Owner); newEpoch == epoch || noted != "backup restore_drill" {
		t.Errorf("the epoch is %s after %s, recorded is %q", newEpoch, epoch, noted)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	runs := strings.Count(string(text), "\n")
	if first != "pg_dump baari_audit?sslmode=disable with a password" || runs != 2*len(Services) {
		t.Errorf("the programs were run as\n%s", text)
	}
	if err := os.Remove(filepath.Join(dir, "baari_auth.dump")); err != nil {
		t.Fatal(err)
	}
	if err := backup.Load(t.Context(), base.Postgres, dir); !errors.As(err, &advice) {
		t.Errorf("a load of an incomplete backup: %v", err)
	}
}
