-- +goose NO TRANSACTION
-- +goose Up
-- The board reads the newest calls of today, even of visits of other days. First, invalid indexes that an interrupted
-- run has left are dropped, because IF NOT EXISTS would keep them.
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
