-- +goose Up
-- One row per committed change, inserted in the change's own transaction. seq is NULL until the relay numbers the row:
-- a sequence would not number rows in commit order.
CREATE TABLE outbox (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id    uuid NOT NULL DEFAULT gen_random_uuid(),
  seq         bigint UNIQUE,
  type        text NOT NULL,
  entity      text NOT NULL,
  entity_id   text NOT NULL,
  version     bigint NOT NULL DEFAULT 0, -- 0: the entity has no versions
  actor       jsonb,
  before      jsonb,
  after       jsonb,
  request_id  text NOT NULL DEFAULT '',
  traceparent text NOT NULL DEFAULT '',
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 60);

CREATE UNIQUE INDEX outbox_entity_version ON outbox (entity, entity_id, version) WHERE version > 0;
CREATE INDEX outbox_unnumbered ON outbox (id) WHERE seq IS NULL;

-- epoch changes when earlier events may have changed: after a restore, a repair or a truncation. The last three
-- columns identify the database, so that the relay detects a restore.
CREATE TABLE stream_head (
  stream            text PRIMARY KEY,
  head              bigint NOT NULL DEFAULT 0,
  epoch             uuid NOT NULL DEFAULT gen_random_uuid(),
  system_identifier bigint NOT NULL,
  timeline_id       integer NOT NULL,
  database_oid      oid NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON outbox, stream_head TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
