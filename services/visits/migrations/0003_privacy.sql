-- +goose Up
-- Retention selects visits by their last change.
CREATE INDEX visits_not_erased ON visits (updated_at) WHERE erased_at IS NULL;
CREATE INDEX access_log_by_time ON access_log (at);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT DELETE ON access_log TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
