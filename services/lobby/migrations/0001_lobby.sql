-- +goose Up
-- Links by the SHA-256 of their code. A visit has one link that is not replaced; the code can be computed again from
-- the visit and the generation. late_at is when the visitor announced being late, which is possible once.
CREATE TABLE links (
  code_hash   bytea PRIMARY KEY CHECK (length(code_hash) = 32),
  visit_id    uuid NOT NULL,
  day         date NOT NULL,
  generation  integer NOT NULL CHECK (generation > 0),
  opens       integer NOT NULL DEFAULT 0,
  late_at     timestamptz,
  replaced_at timestamptz,
  created_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE (visit_id, generation)
);
CREATE UNIQUE INDEX links_of_visit ON links (visit_id) WHERE replaced_at IS NULL;
CREATE INDEX links_by_day ON links (day);

-- Projection of visits' events: the data that the page shows. It has no name, consultant or note.
CREATE TABLE visits (
  id              uuid PRIMARY KEY,
  day             date NOT NULL,
  token           text NOT NULL,
  version         bigint NOT NULL,
  stage           text NOT NULL,
  counter         text NOT NULL,
  service_id      uuid NOT NULL,
  service_name    text NOT NULL,
  language        text NOT NULL,
  held_reason     text NOT NULL,
  created_at      timestamptz NOT NULL,
  held_until      timestamptz,
  called_at       timestamptz,
  ended_at        timestamptz,
  left_by_visitor boolean NOT NULL,
  erased          boolean NOT NULL
);
CREATE INDEX visits_by_day ON visits (day);

-- Projection of directory's events: the names of the services, and the office's values that the page shows or that
-- decide when a link ends.
CREATE TABLE services (
  id    uuid PRIMARY KEY,
  name  text NOT NULL,
  texts jsonb NOT NULL
);
CREATE TABLE office (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  document jsonb NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON links, visits, services, office TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
