-- +goose NO TRANSACTION
-- +goose Up
-- The list of what needs attention reads the confirmed appointments of today. First, invalid indexes that an
-- interrupted run has left are dropped, because IF NOT EXISTS would keep them.
-- +goose StatementBegin
DO $$
DECLARE broken regclass;
BEGIN
  FOR broken IN SELECT indexrelid FROM pg_index WHERE indrelid = 'appointments'::regclass AND NOT indisvalid LOOP
    EXECUTE format('DROP INDEX %s', broken);
  END LOOP;
END
$$;
-- +goose StatementEnd
CREATE INDEX CONCURRENTLY IF NOT EXISTS appointments_confirmed ON appointments (slot) WHERE status = 'confirmed';
