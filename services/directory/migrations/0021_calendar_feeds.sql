-- +goose Up
-- The addresses at which calendars read the confirmed appointments of a consultant, or of the office. The code of an
-- address is shown once and is stored as its digest.
CREATE TABLE calendar_feeds (
  id            uuid PRIMARY KEY,
  consultant_id text, -- NULL: all appointments of the office
  code_hash     bytea NOT NULL UNIQUE,
  created_by    text NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  read_at       timestamptz, -- the last read
  revoked_at    timestamptz
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON calendar_feeds TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
