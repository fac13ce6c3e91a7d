-- +goose Up
-- The CHECKs repeat the rules of package account.
CREATE TABLE users (
  id             text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9]{32}$'),
  name           text NOT NULL,
  email          text NOT NULL CHECK (email = lower(email) AND email <> ''),
  email_verified boolean NOT NULL DEFAULT false,
  image          text,
  role           text NOT NULL CHECK (role IN ('reception', 'pa', 'consultant', 'admin')),
  is_active      boolean NOT NULL,
  role_set_at    timestamptz, -- NULL until the role is set
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  deleted_at     timestamptz,
  version        bigint NOT NULL DEFAULT 1
);
-- The index does not include deleted accounts, so that their addresses can register again.
CREATE UNIQUE INDEX users_email ON users (email) WHERE deleted_at IS NULL;
CREATE INDEX users_admins ON users (id) WHERE role = 'admin' AND deleted_at IS NULL;

-- The ways to sign in. password is a PHC string of argon2id, or salt:key of an imported scrypt hash.
CREATE TABLE accounts (
  id          text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9]{32}$'),
  user_id     text NOT NULL REFERENCES users (id),
  provider_id text NOT NULL CHECK (provider_id = 'credential'),
  password    text NOT NULL,
  created_at  timestamptz NOT NULL,
  updated_at  timestamptz NOT NULL,
  UNIQUE (user_id, provider_id)
);

-- Only the hash of a session's token is stored.
CREATE TABLE sessions (
  id         text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9]{32}$'),
  user_id    text NOT NULL REFERENCES users (id),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  remember   boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ip_address text NOT NULL,
  user_agent text NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id, created_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Tokens of reset links and invitations, by their hash. Each is valid once.
CREATE TABLE reset_tokens (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  user_id    text NOT NULL REFERENCES users (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX reset_tokens_of_user ON reset_tokens (user_id);

-- The number of consecutive wrong passwords for each address, by the hash of the address. Unknown addresses are counted
-- like known ones.
CREATE TABLE sign_in_attempts (
  email_hash    bytea PRIMARY KEY CHECK (octet_length(email_hash) = 32),
  failures      integer NOT NULL CHECK (failures > 0),
  blocked_until timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON users TO %I', current_setting('baari.app_role'));
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON accounts, sessions, reset_tokens, sign_in_attempts TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
