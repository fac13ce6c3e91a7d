-- +goose Up
-- The number from which the stream has no gap. Of older events only the newest of each subject may be left.
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
