-- +goose Up
-- The times of the last backup of the installation and of the last restore of a backup as a test. `baari backup`,
-- `baari restore` or an operator's own job updates the rows with the owner's role; the service only reads them. Before
-- the first time, the rows have the time at which the table was created.
CREATE TABLE operations (
  name    text PRIMARY KEY CHECK (name IN ('backup', 'restore_drill')),
  done_at timestamptz NOT NULL
);
INSERT INTO operations (name, done_at) VALUES ('backup', now()), ('restore_drill', now());

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT ON operations TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
