-- +goose NO TRANSACTION
-- +goose Up
-- The characters ./:@_- also separate the words of a name, as in K.R.Rao and S/o: PostgreSQL's parser reads each as one
-- word. Replicas of the previous release search without the index visits_name until they end. First, invalid indexes of
-- an interrupted run are dropped, because IF NOT EXISTS would keep them.
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
CREATE INDEX CONCURRENTLY IF NOT EXISTS visits_name_words ON visits
  USING gin (to_tsvector('simple', translate(name, './:@_-', '      ')));
DROP INDEX CONCURRENTLY IF EXISTS visits_name;
