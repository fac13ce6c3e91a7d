-- +goose NO TRANSACTION
-- +goose Up
-- The most lookups that one person has made in a day are read with the metrics.
-- What an interrupted run has left: an index that is not valid would be kept by IF NOT EXISTS.
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
