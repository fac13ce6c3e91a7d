-- +goose Up
-- The response to a request with a key, kept for a day or for the route's longer lifetime.
CREATE TABLE idempotency (
  actor_id   text NOT NULL,
  route      text NOT NULL,
  idem_key   text NOT NULL,
  meaning    bytea NOT NULL, -- SHA-256 of the decoded request
  answer     jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (actor_id, route, idem_key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
