-- +goose Up
-- The offered services. place is the index in the office file, NULL for a service that an admin added.
CREATE TABLE services (
  id          uuid PRIMARY KEY,
  name        text NOT NULL CHECK (name <> ''),
  description text NOT NULL,
  est_minutes integer NOT NULL CHECK (est_minutes BETWEEN 1 AND 480),
  is_active   boolean NOT NULL,
  place       integer
);
CREATE UNIQUE INDEX services_name ON services (lower(name));

-- Users who have, or had, the role consultant. Name and activity are projected from auth's events; specialization is
-- set only in this database.
CREATE TABLE consultants (
  id             text PRIMARY KEY,
  name           text NOT NULL,
  specialization text[] NOT NULL CHECK (cardinality(specialization) BETWEEN 1 AND 20),
  is_active      boolean NOT NULL
);

-- Projection of visits' events: the status of each assigned visit. The sizes of queues and the running sessions are
-- counted from it.
CREATE TABLE assigned_visits (
  id            uuid PRIMARY KEY,
  consultant_id text NOT NULL,
  status        text NOT NULL,
  completed_at  timestamptz
);
CREATE INDEX assigned_visits_open ON assigned_visits (consultant_id, status) WHERE status IN ('approved', 'in-session');
CREATE INDEX assigned_visits_completed ON assigned_visits (consultant_id, completed_at) WHERE status = 'completed';

-- Appointment requests from the public page, with the version of the privacy notice that was shown.
CREATE TABLE appointments (
  id             uuid PRIMARY KEY,
  name           text NOT NULL CHECK (name <> ''),
  phone          text NOT NULL CHECK (phone ~ '^[0-9]{10}$'),
  email          text NOT NULL,
  service        text NOT NULL,
  preferred_date date NOT NULL,
  preferred_time text NOT NULL,
  message        text NOT NULL,
  status         text NOT NULL CHECK (status IN ('pending', 'confirmed', 'declined', 'done')),
  notice_version text NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX appointments_newest ON appointments (created_at DESC, id DESC);
CREATE INDEX appointments_by_status ON appointments (status, created_at DESC, id DESC);

-- The last published office document. If the service starts with the same document, it publishes no event.
CREATE TABLE office (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  document jsonb NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON services, consultants, assigned_visits, appointments, office TO %I',
    current_setting('baari.app_role'));
  EXECUTE format('GRANT TRUNCATE ON assigned_visits TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
