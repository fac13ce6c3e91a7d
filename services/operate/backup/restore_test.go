package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// packed returns a compressed archive. files has the name and the content of each file in turn.
func packed(t *testing.T, files ...string) *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	a := &archive{tar: tar.NewWriter(compressed)}
	for i := 0; i < len(files); i += 2 {
		if err := a.addText(files[i], files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(a.tar.Close(), compressed.Close()); err != nil {
		t.Fatal(err)
	}
	return &out
}

func TestABackupIsUnpackedAndMarked(t *testing.T) {
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, secretsFile), []byte("of the new folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	const label = database + "/" + labelFile
	backup := packed(t, database+"/base/1", "page", label, "START WAL LOCATION", secretsFile, "of the backup")
	if err := Read(t.Context(), backup, data); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		database + "/base/1": "page", label: "START WAL LOCATION", secretsFile: "of the backup", Mark: "",
	} {
		if got, err := os.ReadFile(filepath.Join(data, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	mustAdvise(t, Read(t.Context(), backup, data), "has a database already")
}

func TestAForeignFileIsNotRestored(t *testing.T) {
	truncated := packed(t, database+"/base/1", "page")
	truncated.Truncate(truncated.Len() / 2)
	for name, file := range map[string]*bytes.Buffer{
		"not compressed":  bytes.NewBufferString("a file"),
		"without a label": packed(t, database+"/base/1", "page"),
		"truncated":       truncated,
	} {
		if err := Read(t.Context(), file, t.TempDir()); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	outside := packed(t, "../elsewhere", "text")
	data := filepath.Join(t.TempDir(), "data")
	if err := Read(t.Context(), outside, data); err == nil {
		t.Error("a name that leads out of the folder was accepted")
	}
	if _, err := os.Stat(filepath.Join(data, "..", "elsewhere")); err == nil {
		t.Error("a file was written outside the folder")
	}
}

// A copy lacks the files that a server creates at its start, and the log files that recovery does not need.
func TestACopyHoldsTheDataAndTheLogThatARecoveryNeeds(t *testing.T) {
	root := t.TempDir()
	const first, last = "000000010000000000000002", "000000010000000000000003"
	for _, name := range []string{
		"base/1", "base/pgsql_tmp1", "pg_stat_tmp/x", "pg_notify/y", "postmaster.pid", labelFile,
		"pg_wal/000000010000000000000001", "pg_wal/" + first, "pg_wal/" + last, "pg_wal/000000010000000000000004",
	} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	a := &archive{tar: tar.NewWriter(&out)}
	err := errors.Join(
		a.addTree(t.Context(), root), a.addLog(root, first, last),
		a.addFile(filepath.Join(root, "dropped meanwhile"), "dropped"), a.tar.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for in := tar.NewReader(&out); ; {
		entry, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if entry.Typeflag == tar.TypeReg {
			files = append(files, entry.Name)
		}
	}
	want := []string{"postgres/base/1", "postgres/pg_wal/" + first, "postgres/pg_wal/" + last}
	if !slices.Equal(files, want) {
		t.Errorf("the copy holds %v", files)
	}
	if want := (Summary{Files: 3, Bytes: int64(len("base/1") + 2*len("pg_wal/"+first))}); a.summary != want {
		t.Errorf("the summary is %+v, want %+v", a.summary, want)
	}
}
