-- +goose Up
-- Whether the account registered itself and no administrator has changed it since. It is false for accounts that
-- existed before this column.
ALTER TABLE users ADD COLUMN undecided boolean NOT NULL DEFAULT false;
