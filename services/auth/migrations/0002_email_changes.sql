-- +goose Up
-- Requested changes of an e-mail address. Only the hash of the stop link's token is stored. A confirmed change reserves
-- the old address until stop_until, so that the change can be undone.
CREATE TABLE email_changes (
  id           text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9]{32}$'),
  user_id      text NOT NULL REFERENCES users (id),
  session_id   text NOT NULL, -- the session that requested the change; no foreign key, because it can be deleted first
  old_email    text NOT NULL CHECK (old_email = lower(old_email) AND old_email <> ''),
  new_email    text NOT NULL CHECK (new_email = lower(new_email) AND new_email <> ''),
  stop_hash    bytea NOT NULL UNIQUE CHECK (octet_length(stop_hash) = 32),
  state        text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'confirmed', 'ended', 'stopped')),
  requested_at timestamptz NOT NULL,
  stop_until   timestamptz NOT NULL
);
CREATE INDEX email_changes_of_user ON email_changes (user_id);
CREATE INDEX email_changes_reserved ON email_changes (old_email) WHERE state = 'confirmed';

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON email_changes TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
