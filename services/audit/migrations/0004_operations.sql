-- +goose Up
-- When the installation was last backed up and when a backup was last restored to see that it can be. Whoever does it
-- writes it here with the owner's role (`baari backup`, `baari restore`, or an operator's own job); the service only
-- reads. Until then the time counts from when this table was made.
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
