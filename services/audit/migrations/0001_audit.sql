-- +goose Up
-- The trail: one record for each event of each source, chained by HMAC. n has no gaps. The application's role can only
-- read and insert.
CREATE TABLE audit_records (
  n           bigint PRIMARY KEY CHECK (n > 0),
  source      text NOT NULL,
  epoch       uuid NOT NULL,
  seq         bigint NOT NULL,
  event_id    uuid NOT NULL UNIQUE,
  entity      text NOT NULL,
  entity_id   text NOT NULL,
  action      text NOT NULL,
  actor_id    text NOT NULL, -- '' if there is none, also in the three columns below
  actor_name  text NOT NULL,
  actor_email text NOT NULL,
  actor_role  text NOT NULL,
  ip          text NOT NULL,
  request_id  text NOT NULL,
  version     bigint NOT NULL,
  created_at  timestamptz NOT NULL,
  old_values  json, -- json, not jsonb: the digests cover the exact text
  new_values  json,
  old_digest  bytea NOT NULL,
  new_digest  bytea NOT NULL,
  prev        bytea NOT NULL,
  digest      bytea NOT NULL,
  UNIQUE (source, epoch, seq)
);
CREATE INDEX audit_records_by_time ON audit_records (created_at DESC, n DESC);
CREATE INDEX audit_records_by_entity ON audit_records (entity, created_at DESC, n DESC);
CREATE INDEX audit_records_by_entity_id ON audit_records (entity_id, created_at DESC, n DESC);

-- The newest record. A writer locks this row, so that only one writer at a time extends the chain, and n has no gaps.
CREATE TABLE chain_head (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  n        bigint NOT NULL,
  digest   bytea NOT NULL
);
INSERT INTO chain_head (n, digest) VALUES (0, decode(repeat('00', 32), 'hex'));

-- Heads of the chain, stored every minute. If the chain ends before a stored head, records were deleted at its end.
CREATE TABLE chain_anchors (
  n      bigint PRIMARY KEY,
  digest bytea NOT NULL,
  at     timestamptz NOT NULL DEFAULT now()
);

-- Projection of visits' events: the current state of each visit, with its whole phone, for the export.
CREATE TABLE visits (
  id               uuid PRIMARY KEY,
  day              date NOT NULL,
  token_no         integer NOT NULL,
  token            text NOT NULL,
  name             text NOT NULL,
  phone            text NOT NULL,
  service_name     text NOT NULL,
  status           text NOT NULL,
  consultant_name  text,
  reception_notes  text NOT NULL,
  pa_notes         text NOT NULL,
  session_notes    text NOT NULL,
  created_at       timestamptz NOT NULL,
  decided_at       timestamptz,
  started_at       timestamptz,
  completed_at     timestamptz,
  wait_minutes     integer,
  duration_minutes integer,
  created_by_name  text NOT NULL,
  decided_by_name  text
);
CREATE INDEX visits_by_day ON visits (day, token_no);

-- The number of visits by the day of their creation and their current status, so that the cost of counts does not
-- depend on the number of visits.
CREATE TABLE daily_statistics (
  day               date PRIMARY KEY,
  new_visits        bigint NOT NULL,
  approved_visits   bigint NOT NULL,
  in_session_visits bigint NOT NULL,
  completed_visits  bigint NOT NULL,
  denied_visits     bigint NOT NULL,
  waited_visits     bigint NOT NULL, -- visits whose session has started
  waited_seconds    double precision NOT NULL
);
CREATE TABLE daily_arrivals (
  day    date NOT NULL,
  hour   integer NOT NULL CHECK (hour BETWEEN 0 AND 23),
  visits bigint NOT NULL,
  PRIMARY KEY (day, hour)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON audit_records, chain_anchors TO %I', current_setting('baari.app_role'));
  EXECUTE format('GRANT SELECT, UPDATE ON chain_head TO %I', current_setting('baari.app_role'));
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, TRUNCATE ON visits, daily_statistics, daily_arrivals TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
