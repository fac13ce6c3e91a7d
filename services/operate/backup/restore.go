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

	"github.com/jackc/pgx/v5"

	"baari.dev/services/operate/advice"
)

// ErrForeign is returned for a file that was not written by Write.
const ErrForeign advice.Advice = "The file is not a backup of Baari, or is damaged:" +
	" choose one that `backup` has written."

// Mark is the name of the file that Read leaves in the data folder. The next start of the system begins a new epoch in
// every database and removes the file.
const Mark = "restored"

// Read unpacks the file of Write into the data folder at the path data, which must have no database, and leaves Mark in
// it. It returns ErrForeign for any other file, and Advice if the folder has a database.
func Read(ctx context.Context, in io.Reader, data string) error {
	if _, err := os.Stat(filepath.Join(data, database)); err == nil {
		return advice.Advice(data + " has a database already: restore into another folder with --data, and start that" +
			" one.")
	}
	compressed, err := gzip.NewReader(in)
	if err != nil {
		return errors.Join(ErrForeign, err)
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(data)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := root.Remove(secretsFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := unpackAll(ctx, tar.NewReader(compressed), root); err != nil {
		return err
	}
	return root.WriteFile(Mark, nil, 0o600)
}

// unpackAll writes every entry. An archive without the label of a base backup was not written by Write.
func unpackAll(ctx context.Context, archive *tar.Reader, root *os.Root) error {
	labelled := false
	for ctx.Err() == nil {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			if !labelled {
				return ErrForeign
			}
			return nil
		}
		if err != nil {
			return errors.Join(ErrForeign, err)
		}
		labelled = labelled || entry.Name == filepath.Join(database, labelFile)
		if err := unpack(root, entry, archive); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// unpack writes one entry. os.Root rejects names that lead out of the folder.
func unpack(root *os.Root, entry *tar.Header, content io.Reader) error {
	if entry.Typeflag == tar.TypeDir {
		return root.MkdirAll(entry.Name, 0o700)
	}
	if err := root.MkdirAll(filepath.Dir(entry.Name), 0o700); err != nil {
		return err
	}
	file, err := root.OpenFile(entry.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(file, content, entry.Size)
	return errors.Join(err, file.Sync(), file.Close())
}

const newEpoch = `UPDATE stream_head SET epoch = gen_random_uuid()`

// BeginEpoch changes the epoch of the database at the given address, so that services read every feed from its
// beginning and dashboards refetch everything. A service changes its epoch by itself only on a server with another
// system identifier; a copy of a data folder keeps the identifier.
func BeginEpoch(ctx context.Context, address string) error {
	connection, err := pgx.Connect(ctx, address)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer func() { _ = connection.Close(context.WithoutCancel(ctx)) }()
	if _, err := connection.Exec(ctx, newEpoch); err != nil {
		return fmt.Errorf("begin a new epoch: %w", err)
	}
	return nil
}
