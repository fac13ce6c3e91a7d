package backup

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// ErrForeign is answered for a file that is no backup of ours.
var ErrForeign = errors.New("this is not a backup of Baari")

// Read unpacks a backup into an empty data folder. Every database needs a new epoch before the folder is used.
func Read(ctx context.Context, in io.Reader, data string) error {
	compressed, err := gzip.NewReader(in)
	if err != nil {
		return errors.Join(ErrForeign, err)
	}
	root, err := os.OpenRoot(data)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	archive := tar.NewReader(compressed)
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

// unpack writes one entry. The root keeps names like ../x inside the folder.
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

// BeginEpoch changes the epoch of the database, so that services read every feed from its beginning and dashboards
// refetch everything. A copy of a data folder keeps its server's identity and would otherwise go unnoticed.
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
