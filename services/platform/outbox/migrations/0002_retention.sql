-- +goose Up
-- The number from which the stream has no gap. Older events are pruned; at most the newest of each subject is kept.
ALTER TABLE stream_head ADD COLUMN begins bigint NOT NULL DEFAULT 1;

-- The index is for the redaction of a subject's events, and for finding the newest event of each subject.
CREATE INDEX outbox_subject ON outbox (entity, entity_id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT DELETE ON outbox TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
