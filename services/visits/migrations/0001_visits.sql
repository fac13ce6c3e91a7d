-- +goose Up
-- The CHECKs repeat the rules of package visit, so that a row that violates them is rejected even if other code writes
-- it.
CREATE TABLE visits (
  id               uuid PRIMARY KEY,
  office_day       date NOT NULL,
  token_no         integer NOT NULL CHECK (token_no > 0),
  name             text NOT NULL CHECK (name <> ''),
  phone            text CHECK (phone ~ '^[0-9]{10}$'),
  service_id       uuid NOT NULL,
  service_name     text NOT NULL,
  status           text NOT NULL CHECK (status IN ('new', 'approved', 'in-session', 'completed', 'denied')),
  consultant_id    text,
  consultant_name  text,
  reception_notes  text NOT NULL DEFAULT '',
  pa_notes         text NOT NULL DEFAULT '',
  session_notes    text NOT NULL DEFAULT '',
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  decided_at       timestamptz,
  started_at       timestamptz,
  completed_at     timestamptz,
  created_by       text NOT NULL,
  created_by_name  text NOT NULL,
  decided_by       text,
  decided_by_name  text,
  started_by       text,
  completed_by     text,
  notice_version   text NOT NULL,
  version          bigint NOT NULL DEFAULT 1,
  erased_at        timestamptz,
  UNIQUE (office_day, token_no),
  CHECK (phone IS NOT NULL OR erased_at IS NOT NULL),
  CHECK (status NOT IN ('approved', 'in-session', 'completed') OR consultant_id IS NOT NULL),
  CHECK (status NOT IN ('in-session', 'completed') OR started_at IS NOT NULL),
  CHECK (status <> 'completed' OR completed_at IS NOT NULL)
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX one_session_per_consultant ON visits (consultant_id) WHERE status = 'in-session';
CREATE INDEX visits_pending ON visits (created_at, id) WHERE status = 'new';
CREATE INDEX visits_open_by_consultant ON visits (consultant_id) WHERE status IN ('approved', 'in-session');
CREATE INDEX visits_by_phone ON visits (phone, created_at DESC);

-- The last token number assigned on a day. Concurrent registrations wait for the lock on the day's row.
CREATE TABLE day_counter (
  day  date PRIMARY KEY,
  last integer NOT NULL
);

-- The copy of directory's data, with which visits can be registered and decided while directory is unavailable.
CREATE TABLE services (
  id        uuid PRIMARY KEY,
  name      text NOT NULL,
  is_active boolean NOT NULL
);
CREATE TABLE consultants (
  id        text PRIMARY KEY,
  name      text NOT NULL,
  is_active boolean NOT NULL
);
CREATE TABLE office (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  notice_version text NOT NULL
);

-- The log of which users have received the data of which visits. It has ids but no personal data.
CREATE TABLE access_log (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at        timestamptz NOT NULL DEFAULT now(),
  user_id   text NOT NULL,
  role      text NOT NULL,
  call      text NOT NULL,
  visit_ids uuid[] NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE ON visits, day_counter, services, consultants, office TO %I',
    current_setting('baari.app_role')
  );
  EXECUTE format('GRANT DELETE ON services, consultants, office TO %I', current_setting('baari.app_role'));
  EXECUTE format('GRANT SELECT, INSERT ON access_log TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
