// Package backup copies an installation's databases and restores them, in one of two ways. Write and Read copy the data
// folder of a PostgreSQL on this machine into one file, as a low-level base backup: the server that npm ships has
// neither pg_dump nor pg_basebackup
// (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP). Dump and Load call
// pg_dump and pg_restore for a server elsewhere.
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

	"baari.dev/services/operate/advice"
)

// Names in a backup and in the data folder.
const (
	database    = "postgres"
	secretsFile = "secrets.json"
	labelFile   = "backup_label"
)

// Summary describes the contents of a backup.
type Summary struct {
	Files int
	Bytes int64 // size before compression
	At    time.Time
}

// Write copies the files of the running server, in data/postgres, and the secrets, because a restored audit trail
// cannot be verified without its key. admin is the server's address for an administrator. The copy contains every
// change that was committed before Write was called. It returns Advice if the folder has no database.
func Write(ctx context.Context, admin, data string, out io.Writer) (Summary, error) {
	if _, err := os.Stat(filepath.Join(data, database)); errors.Is(err, fs.ErrNotExist) {
		return Summary{}, advice.Errorf(
			"The databases of %s are on another server: back them up with that server's own tools.", data)
	}
	connection, err := pgx.Connect(ctx, admin)
	if err != nil {
		return Summary{}, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }() // also ends an unfinished backup
	compressed, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		return Summary{}, err
	}
	archive := &archive{tar: tar.NewWriter(compressed), summary: Summary{At: time.Now()}}
	err = archive.copy(ctx, connection, data)
	return archive.summary, errors.Join(err, archive.tar.Close(), compressed.Close())
}

const (
	// keepLog makes the server keep its write-ahead log from now on, until this connection is closed.
	keepLog = `SELECT pg_create_physical_replication_slot('baari_backup_' || pg_backend_pid(), true, true)`
	begin   = `SELECT pg_backup_start('baari', true)`
	// end returns the label with which a restored server begins its recovery, and the last log file that it needs.
	end = `SELECT labelfile, pg_walfile_name(lsn) FROM pg_backup_stop(false)`
)

// firstLog matches the part of the label that names the log file at which recovery begins.
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
	var label, lastLog string
	if err := connection.QueryRow(ctx, end).Scan(&label, &lastLog); err != nil {
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

// What addTree leaves out: the log, folders that a server fills at its start, and the files of a running server.
var (
	transientFolders = []string{
		"pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans",
	}
	transientFiles = []string{"postmaster.pid", "postmaster.opts", labelFile, "tablespace_map"}
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
			return a.tar.WriteHeader(&tar.Header{
				Typeflag: tar.TypeDir, Name: inside, Mode: 0o700, ModTime: a.summary.At,
			})
		case below && slices.Contains(transientFolders, top), slices.Contains(transientFiles, name),
			strings.HasPrefix(entry.Name(), "pgsql_tmp"):
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
			err := a.addFile(filepath.Join(root, "pg_wal", name), filepath.Join(database, "pg_wal", name))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// addFile adds a file with its present size, even if the size changes while it is read.
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
	header := &tar.Header{Name: name, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime()}
	if err := a.tar.WriteHeader(header); err != nil {
		return err
	}
	copied, err := io.CopyN(a.tar, file, info.Size())
	if errors.Is(err, io.EOF) { // the file was truncated meanwhile; recovery truncates it again
		_, err = io.CopyN(a.tar, zeros{}, info.Size()-copied)
	}
	a.summary.Files++
	a.summary.Bytes += info.Size()
	return err
}

func (a *archive) addText(name, text string) error {
	header := &tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), ModTime: a.summary.At}
	if err := a.tar.WriteHeader(header); err != nil {
		return err
	}
	_, err := io.WriteString(a.tar, text)
	return err
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
