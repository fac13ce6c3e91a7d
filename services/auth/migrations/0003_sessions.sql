-- +goose Up
-- Deactivation ends sessions for good: an activation deletes those that were open. Only an account that has waited for its
-- first approval keeps the session of its registration. false is right for every account of before, and for those that a
-- release before this one writes: at worst somebody signs in once more.
ALTER TABLE users ADD COLUMN awaits_approval boolean NOT NULL DEFAULT false;

-- A row with device_of counts the attempts of one device cookie: email_hash is then the hash of the device, and device_of
-- that of the address the cookie was issued for.
ALTER TABLE sign_in_attempts ADD COLUMN device_of bytea CHECK (octet_length(device_of) = 32);
CREATE INDEX sign_in_attempts_of_device ON sign_in_attempts (device_of) WHERE device_of IS NOT NULL;
