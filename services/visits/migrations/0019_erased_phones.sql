-- +goose Up
-- A mark for the phone of each erased person. By the mark, the person is also erased from a visit that a paired desk
-- noted before the erasure and sends after it. A mark is the SHA-256 of a salt followed by the phone. Each mark has
-- its own random salt.
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
