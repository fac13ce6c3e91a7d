-- +goose NO TRANSACTION
-- +goose Up
-- Tokens become unique by day, series and number. The constraint on day and number is dropped after the new index is
-- built. First, invalid indexes that an interrupted run has left are dropped, because IF NOT EXISTS would keep them.
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
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS visits_token ON visits (office_day, token_series, token_no);
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS visits_offline_key ON visits (offline_key) WHERE offline_key IS NOT NULL;
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS visits_token_also ON visits (office_day, token_also)
  WHERE token_also <> '';
ALTER TABLE visits VALIDATE CONSTRAINT visits_series;
ALTER TABLE visits VALIDATE CONSTRAINT visits_offline;
ALTER TABLE visits DROP CONSTRAINT IF EXISTS visits_office_day_token_no_key;
