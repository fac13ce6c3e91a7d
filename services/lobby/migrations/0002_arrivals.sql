-- +goose Up
-- Requests for a token that visitors have sent on the poster's page. person has the name and the phone, encrypted;
-- person and phone_mark are NULL once the visit is registered, or once they are no longer kept. accepting_at is when a
-- member of staff accepted the request, before lobby asked visits to register the visit.
CREATE TABLE arrivals (
  id             uuid PRIMARY KEY,
  language       text NOT NULL,
  person         bytea,
  phone_mark     bytea,
  service_id     uuid NOT NULL,
  notice_version text NOT NULL,
  messages       boolean NOT NULL,
  state          text NOT NULL CHECK (state IN ('waiting', 'accepted', 'refused', 'gone')),
  visit_id       uuid CHECK ((visit_id IS NOT NULL) = (state = 'accepted')),
  created_at     timestamptz NOT NULL DEFAULT now(),
  accepting_at   timestamptz,
  answered_at    timestamptz CHECK ((answered_at IS NULL) = (state = 'waiting'))
);
CREATE UNIQUE INDEX arrivals_of_phone ON arrivals (phone_mark) WHERE state = 'waiting';
CREATE INDEX arrivals_waiting ON arrivals (created_at) WHERE state = 'waiting';
CREATE INDEX arrivals_answered ON arrivals (answered_at) WHERE state <> 'waiting';

-- Time at which the visitor has announced the return after a missed call.
ALTER TABLE links ADD COLUMN back_at timestamptz;

-- To fill this column, and the notice in office.document, directory's events are applied again from the first.
ALTER TABLE services ADD COLUMN active boolean NOT NULL DEFAULT true;
DELETE FROM feed_cursor WHERE source = 'directory';

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON arrivals TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
