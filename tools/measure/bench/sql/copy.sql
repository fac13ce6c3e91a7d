-- The columns of an export in its order, from the first to the last day.
COPY (
  SELECT day, token, name, phone, service_name, status, consultant_name, created_at, decided_at, started_at,
    completed_at, wait_minutes, duration_minutes, reception_notes, pa_notes, session_notes, created_by_name,
    decided_by_name
  FROM visits WHERE day BETWEEN 'FIRST' AND 'LAST' ORDER BY day, token_no
) TO STDOUT WITH (FORMAT csv, FORCE_QUOTE *)
