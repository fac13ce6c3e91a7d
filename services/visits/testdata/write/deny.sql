-- This statement writes everything that a decision about the visit $1 writes. $2 is the id of the request.
WITH v AS (
  UPDATE bench.visits SET status = 'denied', stage = 'denied', version = version + 1, updated_at = now(),
    pa_notes = 'Please come back tomorrow', decided_at = now(), decided_by = 'bench', decided_by_name = 'Bench'
  WHERE id = $1 AND status = 'new' RETURNING *
)
INSERT INTO bench.outbox (type, entity, entity_id, version, actor, before, after, request_id)
SELECT 'visit_denied', 'visit', id::text, version, '{"id": "bench", "name": "Bench", "role": "admin"}', to_jsonb(v),
  to_jsonb(v), $2
FROM v
