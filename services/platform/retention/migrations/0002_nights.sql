-- +goose Up
-- The number of rows that each night's run has erased, by task. A replica of the previous release does not insert a
-- row.
CREATE TABLE retention_nights (
  day         date PRIMARY KEY, -- the office's
  older_than  timestamptz NOT NULL,
  started_at  timestamptz NOT NULL,
  finished_at timestamptz NOT NULL,
  erased      jsonb NOT NULL -- rows by task
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON retention_nights TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
