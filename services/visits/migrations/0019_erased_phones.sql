-- +goose Up
-- Marks of the phones of erased persons: a paired desk without network may send a visit that it has noted before the
-- erasure. A mark is the SHA-256 of the phone after a random salt of its own.
CREATE TABLE erased_phones (
  mark      bytea PRIMARY KEY CHECK (length(mark) = 32),
  salt      bytea NOT NULL CHECK (length(salt) = 16),
  erased_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX erased_phones_by_time ON erased_phones (erased_at);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, DELETE ON erased_phones TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
