-- +goose Up
-- Tokens of paired desks that register without network. Each desk has a series of its own, A to H; the office's series
-- is T. For visits of T, arrived_at and after_no are NULL. A replica of the previous release registers visits of T
-- only.
ALTER TABLE visits
  ADD COLUMN token_series text NOT NULL DEFAULT 'T',
  ADD COLUMN token_also text NOT NULL DEFAULT '', -- second token, which an offline paired desk gave the visitor
  ADD COLUMN arrived_at timestamptz,              -- time when the paired desk registered the visitor
  ADD COLUMN after_no integer,                    -- the last number of T at that time
  ADD COLUMN service_gone boolean NOT NULL DEFAULT false,
  ADD COLUMN offline_key text,                    -- key of the registration at the paired desk, kept for ever
  ADD CONSTRAINT visits_series CHECK (token_series ~ '^[A-HT]$') NOT VALID,
  ADD CONSTRAINT visits_offline CHECK (
    (token_series = 'T') = (arrived_at IS NULL) AND (token_series = 'T') = (after_no IS NULL)
      AND (token_series = 'T' OR offline_key IS NOT NULL)
  ) NOT VALID;

-- Paired desks that have requested leases, and the days for which they may issue tokens of their series.
CREATE TABLE offline_desks (
  device_id  uuid PRIMARY KEY,
  series     text NOT NULL CHECK (series ~ '^[A-H]$'),
  contact_at timestamptz NOT NULL -- last contact without unsent visits; visits sent later have arrivals after it
);
CREATE TABLE desk_leases (
  device_id uuid NOT NULL REFERENCES offline_desks (device_id),
  day       date NOT NULL,
  PRIMARY KEY (device_id, day)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON offline_desks, desk_leases TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
