-- This statement inserts $2 new visits for the service $1, on a past day that is used for nothing else. The schema is
-- bench or public.
INSERT INTO SCHEMA.visits (id, office_day, token_no, name, phone, service_id, service_name, status, stage,
  rank_at, created_at, updated_at, created_by, created_by_name, notice_version)
SELECT gen_random_uuid(), '2001-01-01',
  coalesce((SELECT max(token_no) FROM SCHEMA.visits WHERE office_day = '2001-01-01'), 0) + n, 'A Visitor',
  '9800000000', $1, 'Income tax return', 'new', 'new', now(), now(), now(), 'bench', 'Bench', '1'
FROM generate_series(1, $2::int) n RETURNING id::text
