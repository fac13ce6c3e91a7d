package stack

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"baari.dev/services/operate/backup"
)

// Folder is the data folder of one installation: database, secrets, logs and the list of running processes. Only one
// launcher at a time uses it.
type Folder struct {
	path     string
	database string // the folder of PostgreSQL, if it is not in path
	lock     *flock.Flock
}

// OpenFolder creates the folder if it is missing and locks it. The kernel releases the lock when the process ends,
// even after SIGKILL. It returns Advice if another launcher holds the lock.
func OpenFolder(path string) (*Folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	for _, dir := range []string{path, filepath.Join(path, "logs"), filepath.Join(path, "run")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, explain(err, path)
		}
	}
	lock := flock.New(filepath.Join(path, "run", "lock"))
	taken, err := lock.TryLock()
	if err != nil {
		return nil, explain(err, path)
	}
	if !taken {
		return nil, advise("%s is in use by another launcher%s: stop that one, or choose another folder with --data.",
			path, holder(path))
	}
	folder := &Folder{path: path, lock: lock}
	if err := os.WriteFile(folder.launcherFile(), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return nil, errors.Join(explain(err, path), folder.Close())
	}
	return folder, nil
}

func holder(path string) string {
	pid, err := os.ReadFile(filepath.Join(path, "run", "launcher.pid"))
	if err != nil {
		return ""
	}
	return " (process " + strings.TrimSpace(string(pid)) + ")"
}

// Close releases the lock.
func (f *Folder) Close() error { return f.lock.Unlock() }

// Path returns the absolute path of the folder.
func (f *Folder) Path() string { return f.path }

// Logs returns the folder in which every process has its log, <name>.log.
func (f *Folder) Logs() string { return filepath.Join(f.path, "logs") }

// Accounts returns the path of the file with the demo accounts; the file exists only while the system is ready.
func (f *Folder) Accounts() string { return filepath.Join(f.path, "accounts.json") }

// Processes returns the path of the file that lists the running processes.
func (f *Folder) Processes() string { return filepath.Join(f.path, "run", "processes.json") }

func (f *Folder) servers() string      { return filepath.Join(f.path, "run", "servers.json") }
func (f *Folder) launcherFile() string { return filepath.Join(f.path, "run", "launcher.pid") }
func (f *Folder) postgres() string     { return cmp.Or(f.database, filepath.Join(f.path, "postgres")) }
func (f *Folder) secrets() string      { return filepath.Join(f.path, "secrets.json") }
func (f *Folder) prometheus() string   { return filepath.Join(f.path, "prometheus") }

func (f *Folder) clock(name string) string { return filepath.Join(f.path, "run", "clock-"+name) }

// log returns the path of a process's log file. The file of the previous run is kept as <name>.log.1.
func (f *Folder) log(name string) string { return filepath.Join(f.Logs(), name+".log") }

// wipe removes the data, secrets, accounts and logs of an installation. Other files in the folder are kept.
func (f *Folder) wipe() error {
	for _, path := range []string{
		f.Accounts(), f.Processes(), f.secrets(), f.postgres(), f.prometheus(), f.Logs(), filepath.Join(f.path, backup.Mark),
	} {
		if err := os.RemoveAll(path); err != nil {
			return explain(err, f.path)
		}
	}
	return os.MkdirAll(f.Logs(), 0o700)
}

// WriteJSON writes value to a file as JSON, by a rename, so readers never see a partial file. It creates the folder.
func WriteJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // Success renames the file, so nothing is removed.
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
