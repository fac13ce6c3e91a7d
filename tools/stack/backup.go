package stack

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"baari.dev/tools/backup"
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
	secrets, err := loadSecrets(filepath.Join(o.Data, "secrets.json"))
	if err != nil {
		return err
	}
	at, err := databaseURLs(admin, "audit", secrets.Databases["audit"])
	if err != nil {
		return err
	}
	return backup.Note(ctx, at.Owner, done)
}

// Restore restores a backup into a data folder without a database. The next start continues from it in a new epoch:
// changes committed after the backup are lost, and all consumers rebuild.
func Restore(ctx context.Context, options Options, in io.Reader) error {
	if err := unpack(ctx, options, in); err != nil {
		return explain(err, options.Data)
	}
	base, done, err := options.servers(ctx)
	if err != nil {
		return err
	}
	defer done()
	secrets, err := loadSecrets(filepath.Join(options.Data, "secrets.json"))
	if err != nil {
		return err
	}
	for _, service := range Services {
		at, err := databaseURLs(base.Postgres, service, secrets.Databases[service])
		if err != nil {
			return err
		}
		if err := backup.BeginEpoch(ctx, at.Owner); err != nil {
			return fmt.Errorf("database of %s: %w", service, err)
		}
	}
	return options.note(ctx, base.Postgres, backup.Restored)
}

// unpack fills the data folder and holds its lock meanwhile.
func unpack(ctx context.Context, options Options, in io.Reader) error {
	folder, err := OpenFolder(options.Data)
	if err != nil {
		return err
	}
	defer func() { _ = folder.Close() }()
	if _, err := os.Stat(folder.postgres()); err == nil {
		return advise("%s holds a database already: restore into another folder with --data, and start that one.",
			options.Data)
	}
	if err := os.Remove(folder.secrets()); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := backup.Read(ctx, in, folder.Path()); err != nil {
		return err
	}
	return giveTo(postgresOwner(folder.postgres()), folder.postgres())
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
