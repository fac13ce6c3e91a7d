-- +goose NO TRANSACTION
-- +goose Up
-- The board reads the newest calls of today, whichever day the visit is of.
-- What an interrupted run has left: an index that is not valid would be kept by IF NOT EXISTS.
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
CREATE INDEX CONCURRENTLY IF NOT EXISTS visits_called_at ON visits (called_at) WHERE called_at IS NOT NULL;
