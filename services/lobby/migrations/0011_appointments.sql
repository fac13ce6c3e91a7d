-- +goose Up
-- Projection of directory's events: the appointments that clients are sent messages about. E-mail and phone are sealed
-- for the appointment's id, NULL once they are no longer needed. slot_at is the slot in the office's time zone.
-- confirmed_at is when it was last confirmed or booked; changed_at is the time of its last event.
CREATE TABLE appointments (
  id            uuid PRIMARY KEY,
  version       bigint NOT NULL,
  status        text NOT NULL,
  slot_date     date NOT NULL,
  slot_time     text NOT NULL,
  slot_at       timestamptz NOT NULL,
  service_id    text NOT NULL,
  service_name  text NOT NULL,
  consultant_id text NOT NULL,
  language      text NOT NULL,
  sequence      integer NOT NULL,
  moves         integer NOT NULL,
  email         bytea,
  phone         bytea,
  messages      boolean NOT NULL,
  visit_id      uuid,
  confirmed_at  timestamptz,
  changed_at    timestamptz NOT NULL,
  ended_at      timestamptz,
  erased        boolean NOT NULL
);
CREATE INDEX appointments_by_slot ON appointments (slot_at);

-- Links by the SHA-256 of their code, as in the table links. quiet_at is when the client asked for no reminders.
CREATE TABLE appointment_links (
  code_hash      bytea PRIMARY KEY CHECK (length(code_hash) = 32),
  appointment_id uuid NOT NULL,
  generation     integer NOT NULL CHECK (generation > 0),
  opens          integer NOT NULL DEFAULT 0,
  quiet_at       timestamptz,
  replaced_at    timestamptz,
  created_at     timestamptz NOT NULL DEFAULT now(),
  UNIQUE (appointment_id, generation)
);
CREATE UNIQUE INDEX links_of_appointment ON appointment_links (appointment_id) WHERE replaced_at IS NULL;

-- Messages about appointments: at most one row for each appointment, channel, kind and sequence of the calendar entry.
-- due_at is when the message should be sent, which decides when it is too late; slot_at is the slot that it names.
CREATE TABLE appointment_messages (
  id             uuid PRIMARY KEY,
  appointment_id uuid NOT NULL,
  channel        text NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('confirmed', 'moved', 'cancelled', 'declined', 'day_before', 'soon')),
  sequence       integer NOT NULL,
  slot_at        timestamptz NOT NULL,
  state          text NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'dropped')),
  tries          integer NOT NULL DEFAULT 0,
  due_at         timestamptz NOT NULL,
  next_at        timestamptz NOT NULL,
  provider_id    text NOT NULL DEFAULT '',
  error_code     text NOT NULL DEFAULT '',
  created_at     timestamptz NOT NULL DEFAULT now(),
  changed_at     timestamptz NOT NULL DEFAULT now(),
  UNIQUE (appointment_id, channel, kind, sequence)
);
CREATE INDEX appointment_messages_open ON appointment_messages (next_at) WHERE state IN ('queued', 'sending');
CREATE INDEX appointment_messages_by_time ON appointment_messages (created_at);

-- The papers that clients bring, and how long a service takes. NULL until the service's events are applied again.
ALTER TABLE services ADD COLUMN documents jsonb, ADD COLUMN est_minutes integer;

-- Directory's events are applied again from the first, to get the appointments, papers and more of the office.
DELETE FROM feed_cursor WHERE source = 'directory';

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON appointments, appointment_links, appointment_messages TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
