-- +goose NO TRANSACTION
-- +goose Up
-- This block updates the rows of earlier releases, in short transactions. The trigger of 0005 sets rank_at.
-- +goose StatementBegin
DO $$
DECLARE
  last uuid := '00000000-0000-0000-0000-000000000000';
  page uuid[];
BEGIN
  LOOP
    page := ARRAY(SELECT id FROM visits WHERE id > last ORDER BY id LIMIT 1000);
    EXIT WHEN cardinality(page) = 0;
    UPDATE visits SET pinned = (status = 'approved'),
      due_at = CASE WHEN status = 'approved' THEN created_at + interval '30 minutes' END,
      sat_since = CASE WHEN status = 'in-session' THEN started_at END,
      sittings = CASE WHEN started_at IS NULL THEN 0 ELSE 1 END,
      session_seconds = CASE WHEN status = 'completed'
        THEN greatest(0, extract(epoch FROM completed_at - started_at))::int ELSE 0 END,
      stage = CASE status WHEN 'approved' THEN 'waiting' ELSE status END
    WHERE id = ANY (page) AND stage IS NULL;
    COMMIT;
    last := page[cardinality(page)];
  END LOOP;
END
$$;
-- +goose StatementEnd

-- This block drops invalid indexes that an interrupted run has left, because IF NOT EXISTS would keep them.
-- +goose StatementBegin
DO $$
DECLARE broken regclass;
BEGIN
  FOR broken IN SELECT indexrelid FROM pg_index WHERE indrelid = 'visits'::regclass AND NOT indisvalid LOOP
    EXECUTE format('DROP INDEX %s', broken);
  END LOOP;
END
$$;
-- +goose StatementEnd

CREATE INDEX CONCURRENTLY IF NOT EXISTS visits_line ON visits (office_day) WHERE stage = 'waiting';
CREATE INDEX CONCURRENTLY IF NOT EXISTS visits_open ON visits (office_day)
  WHERE stage IN ('new', 'waiting', 'called', 'held', 'missed', 'in-session');
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS one_call_per_consultant ON visits (consultant_id) WHERE stage = 'called';
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS one_visit_per_appointment ON visits (appointment_id)
  WHERE stage <> 'cancelled';

ALTER TABLE visits
  ADD CONSTRAINT visits_status_of_stage CHECK (status = CASE
    WHEN stage IN ('waiting', 'called', 'held', 'missed') THEN 'approved'
    WHEN stage IN ('left', 'no-show', 'cancelled') THEN 'denied'
    ELSE stage END) NOT VALID,
  ADD CONSTRAINT visits_stage_known CHECK (stage IN ('new', 'waiting', 'called', 'held', 'missed', 'in-session',
    'completed', 'denied', 'left', 'no-show', 'cancelled')) NOT VALID,
  ADD CONSTRAINT visits_stage_set CHECK (stage IS NOT NULL AND rank_at IS NOT NULL) NOT VALID,
  ADD CONSTRAINT visits_class CHECK (class IN ('normal', 'deadline', 'priority', 'appointment')) NOT VALID,
  ADD CONSTRAINT visits_consultant CHECK (
    consultant_id IS NOT NULL OR stage NOT IN ('called', 'in-session', 'completed') AND NOT pinned
  ) NOT VALID,
  ADD CONSTRAINT visits_due CHECK (due_at IS NOT NULL OR stage <> 'waiting') NOT VALID,
  ADD CONSTRAINT visits_called CHECK (called_at IS NOT NULL OR stage NOT IN ('called', 'missed')) NOT VALID,
  ADD CONSTRAINT visits_sitting CHECK ((sat_since IS NOT NULL) = (stage = 'in-session')) NOT VALID;
