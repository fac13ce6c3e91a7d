-- +goose Up
-- Ids of the services that a consultant offers; empty: all.
ALTER TABLE consultants ADD COLUMN serves uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(serves) <= 100);

-- The stage of an assigned visit; NULL: it follows from the status. A replica of an older release does not change it.
ALTER TABLE assigned_visits ADD COLUMN stage text;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT DELETE ON assigned_visits TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
