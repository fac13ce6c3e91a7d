-- +goose NO TRANSACTION
-- +goose Up
-- The trail is searched by a visit's tokens and by the words of its visitor's name. First, invalid indexes of an
-- interrupted run are dropped, because IF NOT EXISTS would keep them.
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
CREATE INDEX CONCURRENTLY IF NOT EXISTS visits_token ON visits (token, day);
CREATE INDEX CONCURRENTLY IF NOT EXISTS visits_token_also ON visits (token_also) WHERE token_also IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS visits_name ON visits USING gin (to_tsvector('simple', name));
