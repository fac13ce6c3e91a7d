-- +goose Up
-- Forecasts. The contents of these tables are derived from the outbox and from the state of the line, and have no
-- personal data. A replica of the previous release does not use the tables.
ALTER TABLE services ADD COLUMN est_minutes integer; -- NULL: not read from directory yet

-- The sequence number of the last event of the outbox from which sittings and the ends of promises were derived.
CREATE TABLE history_cursor (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  seq      bigint NOT NULL
);
INSERT INTO history_cursor (seq) VALUES (0);

-- A call and its result: a session or a part of one, or a visitor who did not come.
CREATE TABLE sittings (
  visit_id      uuid NOT NULL,
  no            integer NOT NULL, -- number of the visit's sitting, from 1
  service_id    uuid NOT NULL,
  consultant_id text NOT NULL,
  class         text NOT NULL,
  registered_at timestamptz NOT NULL,
  joined_at     timestamptz NOT NULL, -- time at which the visitor first entered the line
  called_at     timestamptz NOT NULL,
  started_at    timestamptz,          -- NULL: missed
  ended_at      timestamptz NOT NULL,
  ended_as      text NOT NULL CHECK (ended_as IN ('completed', 'held', 'transferred', 'missed')),
  PRIMARY KEY (visit_id, no),
  CHECK ((started_at IS NULL) = (ended_as = 'missed'))
);
CREATE INDEX sittings_ended ON sittings (ended_at);

-- A promise is the first range that was shown to a visitor without a decision (new) or in the line (join). made_at is
-- NULL until there is a range. A promise ends once: with the first call, or with the reason for which it cannot be
-- judged.
CREATE TABLE promises (
  visit_id       uuid NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('new', 'join')),
  service_id     uuid NOT NULL,
  owed_at        timestamptz NOT NULL,
  made_at        timestamptz,
  q10            double precision, -- simulated minutes from made_at
  q50            double precision,
  q90            double precision,
  shown_from     timestamptz,
  shown_to       timestamptz,
  level          double precision, -- share of promises that may be outside the range
  early          boolean NOT NULL DEFAULT false,
  rival_place    double precision, -- minutes: place times the mean session, divided by the open desks
  ended_at       timestamptz,
  outcome        text CHECK (outcome IN ('called', 'left', 'no-show', 'cancelled', 'denied', 'held', 'transferred',
                   'moved', 'pinned', 'undone', 'day-over')),
  actual_minutes double precision, -- minutes from made_at to the first call
  PRIMARY KEY (visit_id, kind),
  CHECK ((made_at IS NULL) = (q10 IS NULL) AND (made_at IS NULL) = (q50 IS NULL) AND (made_at IS NULL) = (q90 IS NULL)
    AND (made_at IS NULL) = (shown_from IS NULL) AND (made_at IS NULL) = (shown_to IS NULL)
    AND (made_at IS NULL) = (level IS NULL)),
  CHECK ((ended_at IS NULL) = (outcome IS NULL)),
  CHECK (outcome IS NULL OR made_at IS NOT NULL),
  CHECK ((actual_minutes IS NOT NULL) = (outcome IS NOT NULL AND outcome = 'called'))
);
CREATE INDEX promises_ended ON promises (ended_at);
CREATE INDEX promises_open ON promises (owed_at) WHERE outcome IS NULL;

-- The ranges that are shown now to visitors who wait for a decision or in the line. One replica writes them and all
-- replicas read them, so that all show the same ranges, even after a restart.
CREATE TABLE forecasts (
  visit_id   uuid PRIMARY KEY,
  shown_from timestamptz,
  shown_to   timestamptz,
  likely     timestamptz,
  early      boolean NOT NULL,
  note       text NOT NULL,
  sooner     integer, -- minutes gained if the visitor were not pinned
  made_at    timestamptz NOT NULL,
  CHECK ((shown_from IS NULL) = (note = 'nobody_at_desk'))
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON sittings, promises, forecasts TO %I',
    current_setting('baari.app_role'));
  EXECUTE format('GRANT SELECT, UPDATE ON history_cursor TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
