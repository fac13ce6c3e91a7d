-- +goose Up
-- Screens and desk PCs that an administrator has added. Only hashes of the pairing code and of the token are stored.
CREATE TABLE devices (
  id           uuid PRIMARY KEY,
  kind         text NOT NULL CHECK (kind IN ('display', 'desk')),
  name         text NOT NULL,
  series       text CHECK (series ~ '^[A-H]$'), -- series of the visitor tokens that a desk issues
  secret_hash  bytea UNIQUE CHECK (octet_length(secret_hash) = 32),
  pair_hash    bytea UNIQUE CHECK (octet_length(pair_hash) = 32),
  pair_until   timestamptz,
  pair_misses  integer NOT NULL DEFAULT 0, -- not used; an older release counted wrong codes
  volume       integer NOT NULL DEFAULT 80 CHECK (volume BETWEEN 0 AND 100),
  quiet_from   text CHECK (quiet_from ~ '^[0-2][0-9]:[0-5][0-9]$'),
  quiet_until  text CHECK (quiet_until ~ '^[0-2][0-9]:[0-5][0-9]$'),
  voice        text CHECK (voice IN ('on', 'blocked', 'off')), -- the last report
  queue        integer NOT NULL DEFAULT 0 CHECK (queue >= 0),
  paired_at    timestamptz,
  last_seen_at timestamptz,
  revoked_at   timestamptz,
  created_at   timestamptz NOT NULL,
  created_by   text NOT NULL,
  version      bigint NOT NULL DEFAULT 1,
  CHECK ((series IS NOT NULL) = (kind = 'desk')),
  CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
);
CREATE UNIQUE INDEX devices_series ON devices (series) WHERE revoked_at IS NULL;

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON devices TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
