-- +goose Up
-- Whether the account registered itself and no administrator has changed it since. Accounts from before count as decided
-- on.
ALTER TABLE users ADD COLUMN undecided boolean NOT NULL DEFAULT false;
