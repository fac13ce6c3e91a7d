INSERT INTO visits (id, office_day, token_no, name, phone, service_id, service_name, status, consultant_id,
  consultant_name, reception_notes, pa_notes, session_notes, created_at, updated_at, decided_at, started_at,
  completed_at, created_by, created_by_name, decided_by, decided_by_name, started_by, completed_by, notice_version,
  version)
SELECT p.id, p.day, p.token_no, 'Asha Patil', p.phone, @service::uuid, 'ITR Filing', p.status, p.consultant,
  CASE WHEN p.consultant IS NOT NULL THEN 'Kavita Rao' END, 'has Form 16', '', '', p.at, p.at + interval '40 minutes',
  p.at + interval '5 minutes', p.began, p.ended, 'bench', 'Meera Joshi', 'bench', 'Arjun Menon', p.consultant,
  p.consultant, '1', CASE WHEN p.status = 'denied' THEN 2 ELSE 4 END
FROM {past} p;
INSERT INTO day_counter
SELECT office_day, max(token_no) FROM visits WHERE office_day BETWEEN @first::date AND @last::date GROUP BY office_day
ON CONFLICT (day) DO UPDATE SET last = EXCLUDED.last
