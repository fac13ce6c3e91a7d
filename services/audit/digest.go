package audit

import (
	"errors"

	"baari.dev/services/audit/chain"
)

// digestColumn reads a digest from a bytea column.
type digestColumn chain.Digest

// errDigest is returned for a column whose value is not a digest, which only a manual edit can cause.
var errDigest = errors.New("the column holds no digest")

// ScanBytes implements pgtype.BytesScanner.
func (d *digestColumn) ScanBytes(data []byte) error {
	if len(data) != chain.Size {
		return errDigest
	}
	copy(d[:], data)
	return nil
}
