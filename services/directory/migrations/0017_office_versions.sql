-- +goose Up
-- The versions of the office document, dense from 1. The table office stays the file that a release without versions
-- compares with its own; such a release does not read office_versions.
CREATE TABLE office_versions (
  version         bigint PRIMARY KEY CHECK (version >= 1),
  document        jsonb NOT NULL,
  sections        text[] NOT NULL, -- the sections that differ from the version before
  source          text NOT NULL CHECK (source IN ('file', 'product')),
  restored_from   bigint REFERENCES office_versions,
  changed_by      text, -- NULL: the service or the operator
  changed_by_name text, -- NULL: the service
  changed_at      timestamptz NOT NULL DEFAULT now()
);

-- The ticked items of the checklist of a new office, and whether it is dismissed.
CREATE TABLE setup_items (
  key     text PRIMARY KEY,
  done    boolean NOT NULL,
  at      timestamptz NOT NULL,
  by_id   text NOT NULL,
  by_name text NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON office_versions TO %I', current_setting('baari.app_role'));
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON setup_items TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
