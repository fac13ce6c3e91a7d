-- +goose Up
-- The token on the paper of a visitor whom a paired desk registered while it was offline, '' for none. A visit that has
-- one already gets it with its next event.
ALTER TABLE visits ADD COLUMN token_also text NOT NULL DEFAULT '';
