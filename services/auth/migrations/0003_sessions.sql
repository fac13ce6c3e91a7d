-- +goose Up
-- An activation deletes the sessions of an account, except on the first approval after a registration. The default
-- false is acceptable for existing accounts and those that the previous release inserts: at worst a user must sign in
-- again.
ALTER TABLE users ADD COLUMN awaits_approval boolean NOT NULL DEFAULT false;

-- A row with device_of counts the wrong passwords with one browser's mark: email_hash is then the hash of the mark, and
-- device_of the hash of the address for which the mark was issued.
ALTER TABLE sign_in_attempts ADD COLUMN device_of bytea CHECK (octet_length(device_of) = 32);
CREATE INDEX sign_in_attempts_of_device ON sign_in_attempts (device_of) WHERE device_of IS NOT NULL;
