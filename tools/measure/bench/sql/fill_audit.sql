INSERT INTO visits (id, day, token_no, token, name, phone, service_name, status, consultant_name, reception_notes,
  pa_notes, session_notes, created_at, decided_at, started_at, completed_at, wait_minutes, duration_minutes,
  created_by_name, decided_by_name, service_id, consultant_id)
SELECT p.id, p.day, p.token_no, 'T-' || lpad(p.token_no::text, greatest(3, length(p.token_no::text)), '0'),
  'Asha Patil', p.phone, 'ITR Filing', p.status, CASE WHEN p.consultant IS NOT NULL THEN 'Kavita Rao' END,
  'has Form 16', '', '', p.at, p.at + interval '5 minutes', p.began, p.ended, 10, 30, 'Meera Joshi', 'Arjun Menon',
  @service, p.consultant
FROM {past} p;
INSERT INTO daily_statistics
SELECT day, 0, 0, 0, count(*) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE status = 'denied'),
  count(started_at), 600 * count(started_at)
FROM visits WHERE day BETWEEN @first::date AND @last::date GROUP BY day
ON CONFLICT (day) DO UPDATE SET completed_visits = EXCLUDED.completed_visits, denied_visits = EXCLUDED.denied_visits;
INSERT INTO daily_arrivals
SELECT day, extract(hour FROM created_at AT TIME ZONE 'Asia/Kolkata')::integer, count(*) FROM visits
WHERE day BETWEEN @first::date AND @last::date GROUP BY 1, 2
ON CONFLICT (day, hour) DO UPDATE SET visits = EXCLUDED.visits;
-- The digests are made up: the anchor behind these records keeps the service from checking them.
INSERT INTO audit_records (n, source, epoch, seq, event_id, entity, entity_id, action, actor_id, actor_name,
  actor_email, actor_role, ip, request_id, version, created_at, old_values, new_values, old_digest, new_digest, prev,
  digest)
SELECT h.n + p.g - @from + 1, 'visits', '00000000-0000-7000-8000-000000000001', p.g, p.id, 'visit', p.id::text,
  'created', 'bench', 'Meera Joshi', 'reception@baari.example', 'reception', '127.0.0.1', p.id::text, 1, p.at, NULL,
  json_build_object('day', p.day, 'name', 'Asha Patil', 'phone', '98******10', 'status', 'new',
    'serviceName', 'ITR Filing', 'tokenNo', p.token_no),
  decode(repeat('00', 32), 'hex'), sha256(p.id::text::bytea), sha256('prev'), sha256('digest')
FROM {past} p, (SELECT n FROM chain_head FOR UPDATE) h;
UPDATE chain_head SET n = n + @to - @from + 1, digest = sha256('digest');
INSERT INTO chain_anchors (n, digest) SELECT n, digest FROM chain_head
