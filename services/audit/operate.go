package audit

import (
	"encoding/hex"
	"errors"
	"net/http"

	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

// maxAnchors is a verification's largest body in bytes: about 1.4 million anchors. A replica logs at most one a minute.
const maxAnchors = 128 << 20

// verifiedAnswer is the result of a verification. Records, Erased and Head are set for a whole trail, BrokenAt and
// Reason for a broken one.
type verifiedAnswer struct {
	Whole    bool   `json:"whole"`
	Records  int64  `json:"records"`
	Erased   int64  `json:"erased"`
	Head     string `json:"head"`
	BrokenAt int64  `json:"brokenAt"`
	Reason   string `json:"reason"`
}

// verifyRoute returns the operator's route that verifies the trail and compares it with the anchors in the body. The
// route is a Stream, because streams have no time limit and a long trail takes minutes.
func (s *Service) verifyRoute() endpoint.Route {
	return endpoint.Route{
		Method: http.MethodPost, Pattern: "/internal/audit/verify", Access: endpoint.Service(contract.CallerOperator),
		Handler: endpoint.Stream(s.answerVerify),
	}
}

func (s *Service) answerVerify(w http.ResponseWriter, r *http.Request) error {
	anchors, err := readAnchors(w, r)
	if err != nil {
		return err
	}
	conn, err := s.store.feeds.Acquire(r.Context())
	if err != nil {
		return fault.ErrUnavailable.Because(err)
	}
	defer conn.Release()
	report, err := Verify(r.Context(), conn.Conn(), s.options.Key, anchors...)
	var bad *chain.BadError
	switch {
	case errors.As(err, &bad):
		return wire.Write(w, http.StatusOK, verifiedAnswer{BrokenAt: bad.N, Reason: bad.Reason})
	case err != nil:
		return err
	}
	return wire.Write(w, http.StatusOK, verifiedAnswer{
		Whole: true, Records: report.Head.N, Erased: report.Redacted, Head: report.Head.Digest.String(),
	})
}

func readAnchors(w http.ResponseWriter, r *http.Request) ([]chain.Head, error) {
	var body struct {
		Anchors []contract.AuditAnchor `json:"anchors"`
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxAnchors)
	if err := wire.ReadLarge(r, &body); err != nil {
		return nil, err
	}
	heads := make([]chain.Head, len(body.Anchors))
	for i, anchor := range body.Anchors {
		digest, err := hex.DecodeString(anchor.Digest)
		if err != nil || len(digest) != chain.Size || anchor.N < 1 {
			return nil, fault.ErrBadBody
		}
		heads[i] = chain.Head{N: anchor.N, Digest: chain.Digest(digest)}
	}
	return heads, nil
}
