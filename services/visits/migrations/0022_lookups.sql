-- +goose NO TRANSACTION
-- +goose Up
-- A metric has the largest number of lookups by one user in the last 24 hours. First, invalid indexes that an
-- interrupted run has left are dropped, because IF NOT EXISTS would keep them.
-- +goose StatementBegin
DO $$
DECLARE broken regclass;
BEGIN
  FOR broken IN SELECT indexrelid FROM pg_index WHERE indrelid = 'access_log'::regclass AND NOT indisvalid LOOP
    EXECUTE format('DROP INDEX %s', broken);
  END LOOP;
END
$$;
-- +goose StatementEnd
CREATE INDEX CONCURRENTLY IF NOT EXISTS access_log_lookups ON access_log (at, user_id) WHERE call = 'lookup';
