package account

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/FastFilter/xorfilter"
)

// breachedPasswords is a binary fuse filter (Graf and Lemire, 2022) of the 100,000 most common breached passwords, with
// a fingerprint of 16 bits for each. It has no false negatives; its rate of false positives is 1 in 65,536.
// cmd/passwordfilter builds it.
//
//go:embed breached-passwords.filter
var breachedPasswords []byte

// MinBreachedLength is the length of the shortest passwords in the filter, in UTF-16 units. Shorter passwords are
// always rejected: the smallest value of PasswordRule.Min is the same.
const MinBreachedLength = 6

var breached = sync.OnceValue(func() *xorfilter.BinaryFuse[uint16] {
	filter, err := xorfilter.LoadBinaryFuse[uint16](bytes.NewReader(breachedPasswords))
	if err != nil {
		panic(err) // the embedded filter is valid
	}
	return filter
})

// Breached reports whether the filter contains a password, regardless of the case of its letters.
func Breached(password string) bool { return breached().Contains(breachedKey(Fold(password))) }

// MakeBreached encodes the filter that Breached reads. The passwords must be folded. Its result is deterministic.
func MakeBreached(passwords []string) ([]byte, error) {
	keys := make([]uint64, 0, len(passwords))
	for _, password := range passwords {
		keys = append(keys, breachedKey(password))
	}
	filter, err := xorfilter.NewBinaryFuse[uint16](keys)
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		if !filter.Contains(key) {
			return nil, fmt.Errorf("the filter does not contain %q", passwords[i])
		}
	}
	var out bytes.Buffer
	err = filter.Save(&out)
	return out.Bytes(), err
}

func breachedKey(folded string) uint64 {
	sum := sha256.Sum256([]byte(folded))
	return binary.LittleEndian.Uint64(sum[:])
}
