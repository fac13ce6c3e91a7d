package operate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"baari.dev/services/contract"
)

// Trail is the result of a verification of the audit trail.
type Trail struct {
	Whole    bool   `json:"whole"`
	Records  int64  `json:"records"`
	Erased   int64  `json:"erased"`   // records whose values were erased
	Head     string `json:"head"`     // digest of the last record, hexadecimal
	BrokenAt int64  `json:"brokenAt"` // number of the first broken record
	Reason   string `json:"reason"`
}

// String is the result in one line.
func (t Trail) String() string {
	if !t.Whole {
		return fmt.Sprintf("The audit trail is broken at record %d: %s.", t.BrokenAt, t.Reason)
	}
	return fmt.Sprintf("The audit trail is whole: %d records, %d of them erased, head %s.", t.Records, t.Erased, t.Head)
}

// VerifyTrail verifies the audit trail from its first record to its head, and checks that the trail contains the given
// anchors and those that directory stores. For a trail that is not whole it returns no error.
func (i Installation) VerifyTrail(ctx context.Context, anchors ...contract.AuditAnchor) (Trail, error) {
	var trail Trail
	stored, err := i.anchors(ctx)
	if err != nil {
		return trail, err
	}
	body := map[string][]contract.AuditAnchor{"anchors": append(stored, anchors...)}
	return trail, i.Call(ctx, contract.SourceAudit, "/internal/audit/verify", body, &trail)
}

func (i Installation) anchors(ctx context.Context) (all []contract.AuditAnchor, err error) {
	last := int64(0)
	for {
		var page struct{ Anchors []contract.AuditAnchor }
		path := "/internal/audit-anchors?after=" + strconv.FormatInt(last, 10)
		if err := i.Get(ctx, contract.SourceDirectory, path, &page); err != nil {
			return nil, err
		}
		if len(page.Anchors) == 0 {
			return all, nil
		}
		all = append(all, page.Anchors...)
		last = all[len(all)-1].N
	}
}

var errAnchor = errors.New("an anchor is N:DIGEST, a record's number and the 64 hexadecimal digits of its digest")

const digestDigits = 64

// ParseAnchor reads an anchor N:DIGEST, which has the values of n and digest from the log of audit.
func ParseAnchor(text string) (contract.AuditAnchor, error) {
	number, digest, _ := strings.Cut(text, ":")
	n, err := strconv.ParseInt(number, 10, 64)
	if _, wrong := hex.DecodeString(digest); err != nil || n < 1 || wrong != nil || len(digest) != digestDigits {
		return contract.AuditAnchor{}, fmt.Errorf("%q: %w", text, errAnchor)
	}
	return contract.AuditAnchor{N: n, Digest: digest}, nil
}
