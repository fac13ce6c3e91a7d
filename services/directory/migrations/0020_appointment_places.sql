-- +goose NO TRANSACTION
-- +goose Up
-- No slot has a place twice, and no consultant has two appointments at one time. First, invalid indexes that an
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
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS appointments_place
  ON appointments (preferred_date, preferred_time, place) WHERE status IN ('pending', 'confirmed', 'arrived');
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS appointments_consultant
  ON appointments (consultant_id, preferred_date, preferred_time) WHERE status IN ('pending', 'confirmed', 'arrived');
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS appointments_request ON appointments (request_key);
