package directory

import (
	"context"
	"encoding/hex"
	"net/http"
	"strconv"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
)

// digestSize is the length of the audit trail's digests, in bytes.
const digestSize = 32

func (s *Service) anchorRoute() endpoint.Route {
	return endpoint.Route{Method: http.MethodPost, Pattern: "/internal/audit-anchors",
		Access:  endpoint.Service(contract.SourceAudit),
		Handler: endpoint.JSON(endpoint.Body[contract.AuditAnchor], s.keepAnchor)}
}

var anchorWrong = fault.NewMessage(fault.CodeInvalidDigest,
	"an anchor is a number and the 64 hexadecimal digits of its digest")

// keepAnchor stores a head of the audit trail outside the trail's own database.
func (s *Service) keepAnchor(ctx context.Context, head contract.AuditAnchor) (struct{}, error) {
	digest, err := hex.DecodeString(head.Digest)
	if err != nil || len(digest) != digestSize || head.N < 1 {
		return struct{}{}, fault.Field("digest", anchorWrong)
	}
	return struct{}{}, s.store.addAnchor(ctx, head.N, digest)
}

// anchorPage is the largest number of anchors in an answer.
const anchorPage = 10_000

// anchorsAnswer has the anchors after the requested record, ordered by record; at most anchorPage.
type anchorsAnswer struct {
	Anchors []contract.AuditAnchor `json:"anchors"`
}

// anchorsRoute returns the operator's route that lists the stored anchors, for the verification of the trail.
func (s *Service) anchorsRoute() endpoint.Route {
	return endpoint.Route{
		Method: http.MethodGet, Pattern: "/internal/audit-anchors", Access: endpoint.Service(contract.CallerOperator),
		Handler: endpoint.JSON(readAfter, s.anchors),
	}
}

func readAfter(r *http.Request) (int64, error) {
	after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	if err != nil {
		return 0, fault.ErrBadBody.Because(err)
	}
	return after, nil
}

func (s *Service) anchors(ctx context.Context, after int64) (anchorsAnswer, error) {
	found, err := s.store.anchorsAfter(ctx, after, anchorPage)
	return anchorsAnswer{found}, err
}
