-- +goose NO TRANSACTION
-- +goose Up
-- A consultant's list has the sessions that were completed today, even of visits of other days. First, invalid indexes
-- that an interrupted run has left are dropped, because IF NOT EXISTS would keep them.
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
CREATE INDEX CONCURRENTLY IF NOT EXISTS visits_completed_at ON visits (consultant_id, completed_at)
  WHERE completed_at IS NOT NULL;
