-- +goose Up
-- Subscriptions of visitors' browsers to web push, encrypted; at most three for a visit.
CREATE TABLE subscriptions (
  id         uuid PRIMARY KEY,
  visit_id   uuid NOT NULL,
  sealed     bytea NOT NULL,
  mark       bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (visit_id, mark)
);

-- Projection of visits' events: whether the visitor agrees to messages.
CREATE TABLE consents (
  visit_id uuid PRIMARY KEY,
  given    boolean NOT NULL
);

-- The phone of an open visit, encrypted; only if messages are on.
ALTER TABLE visits ADD COLUMN phone bytea;

-- Notifications of visitors: for each channel, at most one row for "near" and one for each call. The row of a call is
-- inserted in the transaction that applies the event. call_no is the visit's version at the call, 0 for "near".
CREATE TABLE deliveries (
  id          uuid PRIMARY KEY,
  visit_id    uuid NOT NULL,
  channel     text NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('near', 'called')),
  call_no     bigint NOT NULL,
  state       text NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'dropped')),
  tries       integer NOT NULL DEFAULT 0,
  next_at     timestamptz NOT NULL,
  provider_id text NOT NULL DEFAULT '',
  error_code  text NOT NULL DEFAULT '',
  created_at  timestamptz NOT NULL,
  changed_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE (visit_id, channel, kind, call_no)
);
CREATE INDEX deliveries_open ON deliveries (next_at) WHERE state IN ('queued', 'sending');
CREATE INDEX deliveries_by_time ON deliveries (created_at);

-- Visits' events are applied again from the first, to get the phones of open visits.
DELETE FROM feed_cursor WHERE source = 'visits';

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON subscriptions, consents, deliveries TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
