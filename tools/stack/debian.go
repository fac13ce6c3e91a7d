package stack

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// UnpackedDebian returns the folder of the cache into which UnpackDebian unpacks a package. Its folder bin has a script
// for each program of the package.
func UnpackedDebian(name string) (string, error) {
	cache, err := CacheFolder()
	return filepath.Join(cache, "debian-"+name), err
}

// UnpackDebian downloads a Debian package, and those of its dependencies that the machine lacks, and unpacks them into
// the cache, once. It needs no privileges, and installs nothing: an installed service would start at boot.
func UnpackDebian(ctx context.Context, name string, progress *Progress) (string, error) {
	folder, err := UnpackedDebian(name)
	if err != nil {
		return "", err
	}
	return folder, MakeOnce(ctx, folder, func(unfinished string) error {
		return progress.Step("downloading "+name+" from Debian", func() error {
			archives := unfinished + "-archives"
			if err := os.MkdirAll(filepath.Join(archives, "partial"), 0o700); err != nil {
				return err
			}
			if err := downloadDebian(ctx, name, archives); err != nil {
				return err
			}
			files, err := filepath.Glob(filepath.Join(archives, "*.deb"))
			if err != nil {
				return err
			}
			for _, file := range files {
				if err := runQuietly(exec.CommandContext(ctx, "dpkg-deb", "-x", file, unfinished)); err != nil {
					return err
				}
			}
			return writeScripts(unfinished, folder)
		})
	})
}

// downloadDebian downloads a package and its missing dependencies into a folder. If this fails and the user is root, it
// retries after apt-get update, because a new machine has no package lists.
func downloadDebian(ctx context.Context, name, archives string) error {
	download := func() error {
		return runQuietly(exec.CommandContext(ctx, "apt-get", "install", "-y", "-q", "--no-install-recommends",
			"--download-only", "-o", "Debug::NoLocking=1", "-o", "Dir::Cache="+archives,
			"-o", "Dir::Cache::archives="+archives, name))
	}
	err := download()
	if err != nil && os.Geteuid() == 0 {
		if err = runQuietly(exec.CommandContext(ctx, "apt-get", "update", "-q")); err == nil {
			err = download()
		}
	}
	return err
}

// writeScripts writes a script for each program into the folder bin. The script starts the program with the unpacked
// libraries. Later, unpacked is renamed to folder.
func writeScripts(unpacked, folder string) error {
	programs, err := filepath.Glob(filepath.Join(unpacked, "usr", "*bin", "*"))
	if err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(unpacked, "usr", "lib", "*-linux-gnu*"))
	if err != nil {
		return err
	}
	libraries := strings.ReplaceAll(strings.Join(found, ":"), unpacked, folder)
	if err := os.Mkdir(filepath.Join(unpacked, "bin"), 0o700); err != nil {
		return err
	}
	for _, program := range programs {
		script := fmt.Sprintf("#!/bin/sh\nLD_LIBRARY_PATH='%s' exec '%s' \"$@\"\n",
			libraries, strings.Replace(program, unpacked, folder, 1))
		path := filepath.Join(unpacked, "bin", filepath.Base(program))
		if err := os.WriteFile(path, []byte(script), 0o700); err != nil { //nolint:gosec // an executable
			return err
		}
	}
	return nil
}
