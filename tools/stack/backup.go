package stack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"baari.dev/services/operate/backup"
)

// WithServers calls f while the PostgreSQL of a data folder runs. It starts one if the system does not run.
func WithServers(ctx context.Context, options Options, f func() error) error {
	_, done, err := options.servers(ctx)
	if err != nil {
		return err
	}
	defer done()
	return f()
}

// Restore locks the data folder while it calls unpack, which restores a backup into the folder. Then it starts
// PostgreSQL once, which shows that the backup is complete. The system then continues in a new epoch: changes committed
// after the backup are lost, and all consumers rebuild.
func Restore(ctx context.Context, options Options, unpack func() error) error {
	folder, err := OpenFolder(options.Data)
	if err != nil {
		return err
	}
	if err := errors.Join(unpack(), folder.Close()); err != nil {
		return explain(err, options.Data)
	}
	return WithServers(ctx, options, func() error { return nil })
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
		at, err := databaseURLs(admin, service, s.secrets.Databases[service])
		if err == nil {
			err = backup.BeginEpoch(ctx, at.Owner)
		}
		if err != nil {
			return fmt.Errorf("database of %s: %w", service, err)
		}
	}
	at, err := databaseURLs(admin, "audit", s.secrets.Databases["audit"])
	if err == nil {
		err = backup.Note(ctx, at.Owner, backup.Restored)
	}
	if err != nil {
		return err
	}
	return os.Remove(filepath.Join(s.folder.path, backup.Mark))
}

// giveTo changes the owner of a folder and everything in it. nil stands for the launcher's account: nothing changes.
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
