-- +goose Up
-- The token on the paper of a visitor whom a paired desk registered while it was offline, '' for none. In a row that
-- exists already, it is set when the next event of the visit is applied.
ALTER TABLE visits ADD COLUMN token_also text NOT NULL DEFAULT '';
