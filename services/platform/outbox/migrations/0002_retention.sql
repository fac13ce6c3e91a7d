-- +goose Up
-- From begins on the stream has no gap; of what is older only the newest event of each thing may be left.
ALTER TABLE stream_head ADD COLUMN begins bigint NOT NULL DEFAULT 1;

-- Finds the events of one thing: to redact them, and to know which is the newest.
CREATE INDEX outbox_subject ON outbox (entity, entity_id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT DELETE ON outbox TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
