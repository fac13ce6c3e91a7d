package audit

import (
	"errors"

	"baari.dev/services/audit/chain"
)

// digestColumn reads a digest from a bytea column.
type digestColumn chain.Digest

// errDigest says that a column holds no digest: somebody wrote it by hand.
var errDigest = errors.New("the column holds no digest")

// ScanBytes implements pgtype.BytesScanner.
func (d *digestColumn) ScanBytes(data []byte) error {
	if len(data) != chain.Size {
		return errDigest
	}
	copy(d[:], data)
	return nil
}
