// Package chain links audit records so that a changed, swapped or added record is detected, and a removed one unless it
// was at the end: each record's digest is an HMAC-SHA-256 over the record and the previous digest. Values that may be
// erased later have their own digest, so the chain verifies without them. The package does no I/O. Start with Key.Next.
package chain

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
)

// Size is the length of a digest in bytes.
const Size = sha256.Size

// Digest is an HMAC-SHA-256.
type Digest [Size]byte

// String returns the digest in hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Head is the number and the digest of the newest record of a chain. The zero Head is the head of an empty chain.
type Head struct {
	N      int64
	Digest Digest
}

// Key makes and checks digests.
type Key []byte

// Values returns the digest of a record's old or new values. It is keyed, so that erased values cannot be guessed from
// their digest.
func (k Key) Values(values []byte) Digest {
	mac := hmac.New(sha256.New, k)
	write(mac, []byte("values"))
	write(mac, values)
	return Digest(mac.Sum(nil))
}

// Next adds a record to the chain that ends at head, and returns the new head. fields are the record's fields in their
// fixed order, values are the digests of its values.
func (k Key) Next(head Head, fields []string, values ...Digest) Head {
	mac := hmac.New(sha256.New, k)
	write(mac, []byte("record"))
	write(mac, head.Digest[:])
	write(mac, binary.BigEndian.AppendUint64(nil, uint64(head.N+1)))
	for _, field := range fields {
		write(mac, []byte(field))
	}
	for _, digest := range values {
		write(mac, digest[:])
	}
	return Head{head.N + 1, Digest(mac.Sum(nil))}
}

// write writes the length before the data. Otherwise text could be moved from one field to the next without detection.
func write(mac hash.Hash, data []byte) {
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
	mac.Write(data)
}

// Record has the parts of a stored record that the chain covers.
type Record struct {
	Head
	Before Digest // the digest of the previous record, as stored with this one
	Fields []string
	Values []Digest
}

// BadError reports the first record that breaks the chain.
type BadError struct {
	N      int64
	Reason string
}

// Error implements error.
func (e *BadError) Error() string { return fmt.Sprintf("record %d: %s", e.N, e.Reason) }

// Follow returns the head after record, or a *BadError if record was changed or is not the successor of head.
func (k Key) Follow(head Head, record Record) (Head, error) {
	want := k.Next(head, record.Fields, record.Values...)
	switch {
	case record.N != want.N:
		return head, &BadError{want.N, fmt.Sprintf("it is missing, the next is %d", record.N)}
	case record.Before != head.Digest:
		return head, &BadError{want.N, "it does not follow the record before it"}
	case !hmac.Equal(record.Digest[:], want.Digest[:]):
		return head, &BadError{want.N, "it was changed"}
	}
	return want, nil
}
