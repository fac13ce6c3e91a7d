package directory

import (
	"context"
	"encoding/hex"
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
)

// digestSize is the length of the audit trail's digests, in bytes.
const digestSize = 32

func (s *Service) anchorRoute() endpoint.Route {
	return endpoint.Route{Method: http.MethodPost, Pattern: "/internal/audit-anchors", Access: endpoint.Service(),
		Handler: endpoint.JSON(endpoint.Body[contract.AuditAnchor], s.keepAnchor)}
}

// keepAnchor stores a head of the audit trail outside the trail's own database.
func (s *Service) keepAnchor(ctx context.Context, head contract.AuditAnchor) (struct{}, error) {
	digest, err := hex.DecodeString(head.Digest)
	if err != nil || len(digest) != digestSize || head.N < 1 {
		return struct{}{}, fault.Field("digest", "an anchor is a number and the 64 hexadecimal digits of its digest")
	}
	return struct{}{}, s.store.addAnchor(ctx, head.N, digest)
}
