-- +goose Up
-- Requests of persons about their own data. The phone and the texts are erased when the person is erased. A replica of
-- the previous release does not use the tables.
CREATE TABLE privacy_requests (
  id               uuid PRIMARY KEY,
  kind             text NOT NULL CHECK (kind IN ('access', 'correction', 'erasure', 'grievance', 'nomination')),
  phone            text CHECK (phone ~ '^[0-9]{10}$'), -- NULL: erased
  text             text NOT NULL,
  state            text NOT NULL CHECK (state IN ('open', 'answered', 'refused')),
  received_at      timestamptz NOT NULL,
  due_at           timestamptz NOT NULL,
  received_by      text NOT NULL,
  received_by_name text NOT NULL,
  answer           text NOT NULL DEFAULT '',
  answered_at      timestamptz,
  answered_by_name text,
  version          bigint NOT NULL DEFAULT 1,
  CHECK ((state = 'open') = (answered_at IS NULL) AND (state = 'open') = (answered_by_name IS NULL))
);
CREATE INDEX privacy_requests_open ON privacy_requests (due_at) WHERE state = 'open';
CREATE INDEX privacy_requests_received ON privacy_requests (received_at);
CREATE INDEX privacy_requests_phone ON privacy_requests (phone);

-- Erasures that an admin has started, without data of the person. If a row stays in the state running, its replica has
-- ended.
CREATE TABLE privacy_erasures (
  id          uuid PRIMARY KEY,
  reason      text NOT NULL,
  request_id  uuid,
  state       text NOT NULL CHECK (state IN ('running', 'done', 'failed')),
  services    jsonb NOT NULL, -- services in which the erasure is done, with the number of erased rows
  started_at  timestamptz NOT NULL,
  changed_at  timestamptz NOT NULL
);
CREATE INDEX privacy_erasures_started ON privacy_erasures (started_at);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON privacy_requests, privacy_erasures TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
