-- +goose Up
-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT UPDATE (message) ON notifications TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
