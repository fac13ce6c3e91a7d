-- This statement writes everything that a registration writes: the visit $1 with the name $2 for the service $3, its
-- number, its event, and its idempotency key $4.
WITH counter AS (
  INSERT INTO bench.day_counter VALUES ((now() AT TIME ZONE 'Asia/Kolkata')::date, 1)
  ON CONFLICT (day) DO UPDATE SET last = day_counter.last + 1 RETURNING day, last
), v AS (
  INSERT INTO bench.visits (id, office_day, token_no, name, phone, service_id, service_name, status, stage,
    rank_at, created_at, updated_at, created_by, created_by_name, notice_version)
  SELECT $1, day, last, $2, '9800000000', $3, 'Income tax return', 'new', 'new', now(), now(), now(), 'bench', 'Bench',
    '1'
  FROM counter RETURNING *
), kept AS (
  INSERT INTO bench.idempotency (actor_id, route, idem_key, meaning, answer)
  SELECT 'bench', 'POST /api/visits', $4, sha256($4::text::bytea), to_jsonb(v) FROM v
)
INSERT INTO bench.outbox (type, entity, entity_id, version, actor, after, request_id)
SELECT 'visit_created', 'visit', id::text, 1, '{"id": "bench", "name": "Bench", "role": "admin"}', to_jsonb(v), $4
FROM v
