-- +goose NO TRANSACTION
-- +goose Up
-- Full stops and slashes separate the words of a name, too, as in K.R.Rao and S/o Gopal: PostgreSQL's parser reads such
-- a name as one word. The release before searches without the index visits_name until it ends.
-- An index that is not valid is from an interrupted run, and IF NOT EXISTS would keep it.
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
