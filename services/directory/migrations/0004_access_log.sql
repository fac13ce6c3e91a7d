-- +goose Up
-- Which user has read which appointment requests: only the requests' ids, not their data (DPDP Rules 2025, rule 6).
CREATE TABLE access_log (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at              timestamptz NOT NULL DEFAULT now(),
  user_id         text NOT NULL,
  role            text NOT NULL,
  call            text NOT NULL,
  appointment_ids uuid[] NOT NULL
);
CREATE INDEX access_log_by_time ON access_log (at);
CREATE INDEX access_log_by_reader ON access_log (user_id, at);

-- The application's role can insert rows, and delete rows older than a year.
ALTER TABLE access_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY access_log_read ON access_log FOR SELECT USING (true);
CREATE POLICY access_log_add ON access_log FOR INSERT WITH CHECK (true);
CREATE POLICY access_log_expire ON access_log FOR DELETE USING (at < now() - interval '365 days');

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON access_log TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
