// Package backup copies a running PostgreSQL's data folder into one file and back. The servers that npm ships have
// neither pg_dump nor pg_basebackup, so it does what the manual says of a low-level base backup: pg_backup_start,
// copy, pg_backup_stop, and the write-ahead log in between
// (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP).
package backup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Names inside the file.
const (
	database    = "postgres"
	secretsFile = "secrets.json"
	labelFile   = "backup_label"
)

// Summary describes the contents of a backup.
type Summary struct {
	Files int
	Bytes int64 // before compression
	At    time.Time
}

// Write copies the running server at admin, an administrator's address, with its files in data/postgres, and the
// secrets (a restored audit trail cannot be verified without its key). It contains all changes committed before it
// ends.
func Write(ctx context.Context, admin, data string, out io.Writer) (Summary, error) {
	connection, err := pgx.Connect(ctx, admin)
	if err != nil {
		return Summary{}, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }() // ends an unfinished backup, too
	compressed, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		return Summary{}, err
	}
	archive := &archive{tar: tar.NewWriter(compressed), summary: Summary{At: time.Now()}}
	err = archive.copy(ctx, connection, data)
	return archive.summary, errors.Join(err, archive.tar.Close(), compressed.Close())
}

const (
	// keepLog makes the server keep its log from here on, for as long as this connection lives.
	keepLog = `SELECT pg_create_physical_replication_slot('baari_backup_' || pg_backend_pid(), true, true)`
	begin   = `SELECT pg_backup_start('baari', true)`
	// end gives the label that a restored server begins its recovery with, and the last log file that it needs.
	end = `SELECT labelfile, pg_walfile_name(lsn), (SELECT setting FROM pg_settings WHERE name = 'data_directory') FROM pg_backup_stop(false)`
)

// firstLog is the log file at which recovery begins, as the label names it.
var firstLog = regexp.MustCompile(`START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)`)

type archive struct {
	tar     *tar.Writer
	summary Summary
}

func (a *archive) copy(ctx context.Context, connection *pgx.Conn, data string) error {
	for _, statement := range []string{keepLog, begin} {
		if _, err := connection.Exec(ctx, statement); err != nil {
			return fmt.Errorf("begin the backup: %w", err)
		}
	}
	root := filepath.Join(data, database)
	if err := a.addTree(ctx, root); err != nil {
		return err
	}
	var label, lastLog, at string
	if err := connection.QueryRow(ctx, end).Scan(&label, &lastLog, &at); err != nil {
		return fmt.Errorf("end the backup: %w", err)
	}
	if err := a.addText(filepath.Join(database, labelFile), label); err != nil {
		return err
	}
	first := firstLog.FindStringSubmatch(label)
	if first == nil {
		return fmt.Errorf("the label of the backup names no log file: %q", label)
	}
	if err := a.addLog(root, first[1], lastLog); err != nil {
		return err
	}
	return a.addFile(filepath.Join(data, secretsFile), secretsFile)
}

// transient are folders whose content a server makes anew, and files that belong to the running one.
var (
	transientFolders = []string{"pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans"}
	transientFiles   = []string{"postmaster.pid", "postmaster.opts", labelFile, "tablespace_map"}
)

// addTree adds the data folder while the server writes to it; recovery repairs torn pages.
func (a *archive) addTree(ctx context.Context, root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // a table was dropped meanwhile
			return nil
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		inside := filepath.Join(database, name)
		top, _, below := strings.Cut(name, string(filepath.Separator))
		switch {
		case entry.IsDir():
			if below && slices.Contains(transientFolders, top) && top != "pg_wal" {
				return filepath.SkipDir
			}
			return a.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: inside, Mode: 0o700, ModTime: a.summary.At})
		case below && slices.Contains(transientFolders, top), slices.Contains(transientFiles, name), strings.HasPrefix(entry.Name(), "pgsql_tmp"):
			return nil
		}
		return a.addFile(path, inside)
	})
}

// addLog adds the log files from the first to the last that recovery needs.
func (a *archive) addLog(root, first, last string) error {
	entries, err := os.ReadDir(filepath.Join(root, "pg_wal"))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if name := entry.Name(); len(name) == len(first) && name >= first && name <= last {
			if err := a.addFile(filepath.Join(root, "pg_wal", name), filepath.Join(database, "pg_wal", name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// addFile adds a file at the size that it has now, whatever becomes of it while it is read.
func (a *archive) addFile(path, name string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := a.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime()}); err != nil {
		return err
	}
	copied, err := io.CopyN(a.tar, file, info.Size())
	if errors.Is(err, io.EOF) { // it was cut meanwhile, and recovery cuts it again
		_, err = io.CopyN(a.tar, zeros{}, info.Size()-copied)
	}
	a.summary.Files++
	a.summary.Bytes += info.Size()
	return err
}

func (a *archive) addText(name, text string) error {
	if err := a.tar.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), ModTime: a.summary.At}); err != nil {
		return err
	}
	_, err := io.WriteString(a.tar, text)
	return err
}

// zeros is an endless file of nothing.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
