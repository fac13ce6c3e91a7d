package stack

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"baari.dev/services/operate/backup"
)

// Backup writes a backup of a data folder, whose system may be running, to out. It returns Advice if the databases
// are on the server of DATABASE_URL.
func Backup(ctx context.Context, options Options, out io.Writer) (backup.Summary, error) {
	if os.Getenv("DATABASE_URL") != "" {
		return backup.Summary{}, advise(
			"The databases are on the server of DATABASE_URL: back them up with that server's own tools.")
	}
	base, done, err := options.servers(ctx)
	if err != nil {
		return backup.Summary{}, err
	}
	defer done()
	summary, err := backup.Write(ctx, base.Postgres, options.Data, out)
	return summary, explain(err, options.Data)
}

// Note records a finished operation in the audit database of a data folder, whose system may be running. Audit's
// metrics report its age.
func Note(ctx context.Context, options Options, done backup.Operation) error {
	base, end, err := options.servers(ctx)
	if err != nil {
		return err
	}
	defer end()
	return options.note(ctx, base.Postgres, done)
}

func (o Options) note(ctx context.Context, admin string, done backup.Operation) error {
	at, err := o.database(admin, "audit")
	if err != nil {
		return err
	}
	return backup.Note(ctx, at.Owner, done)
}

// Restore restores a backup into a data folder without a database. The system of the folder then continues in a new
// epoch: changes committed after the backup are lost, and all consumers rebuild. It starts PostgreSQL once, which shows
// that the backup is complete.
func Restore(ctx context.Context, options Options, in io.Reader) error {
	if err := unpack(ctx, options, in); err != nil {
		return explain(err, options.Data)
	}
	_, done, err := options.servers(ctx)
	if err == nil {
		done()
	}
	return err
}

// unpack fills the data folder and holds its lock meanwhile.
func unpack(ctx context.Context, options Options, in io.Reader) error {
	folder, err := OpenFolder(options.Data)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	return backup.Read(ctx, in, folder.Path())
}

// isRestored reports whether the data folder was restored and PostgreSQL has not run on it since.
func (f *Folder) isRestored() bool {
	_, err := os.Stat(filepath.Join(f.path, backup.Mark))
	return err == nil
}

// finishRestore begins a new epoch in every database of a restored data folder and records the restore.
func (s *Stack) finishRestore(ctx context.Context, admin string) error {
	if !s.folder.isRestored() {
		return nil
	}
	for _, service := range Services {
		at, err := s.options.database(admin, service)
		if err != nil {
			return err
		}
		if err := backup.BeginEpoch(ctx, at.Owner); err != nil {
			return fmt.Errorf("database of %s: %w", service, err)
		}
	}
	if err := s.options.note(ctx, admin, backup.Restored); err != nil {
		return err
	}
	return os.Remove(filepath.Join(s.folder.path, backup.Mark))
}

// giveTo changes the owner of a folder and everything in it; nil is the launcher's account.
func giveTo(owner *syscall.Credential, dir string) error {
	if owner == nil {
		return nil
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(owner.Uid), int(owner.Gid))
	})
}
