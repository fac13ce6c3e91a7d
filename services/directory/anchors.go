package directory

import (
	"context"
	"encoding/hex"
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/postgres"
)

// digestSize is that of the trail's digests, in bytes.
const digestSize = 32

// The first head stored for a number is kept: a rebuilt trail cannot replace it.
const insertAnchor = `INSERT INTO audit_anchors (n, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING`

func anchorRoute(d *Directory) endpoint.Route {
	return endpoint.Route{Method: http.MethodPost, Pattern: "/internal/audit-anchors", Access: endpoint.Service(),
		Handler: endpoint.JSON(endpoint.Body[contract.AuditAnchor], d.keepAnchor)}
}

// keepAnchor keeps a head of the audit trail away from the trail's own database.
func (d *Directory) keepAnchor(ctx context.Context, head contract.AuditAnchor) (struct{}, error) {
	digest, err := hex.DecodeString(head.Digest)
	if err != nil || len(digest) != digestSize || head.N < 1 {
		return struct{}{}, fault.Field("digest", "an anchor is a number and the 64 hexadecimal digits of its digest")
	}
	_, err = d.pool.Exec(ctx, insertAnchor, head.N, digest)
	return struct{}{}, postgres.Classify(err)
}
