-- +goose Up
-- A token that a paired desk gave the same visitor while the desk was offline, '' for none. In a row that exists
-- already, it is set when the next event of the visit is applied.
ALTER TABLE visits ADD COLUMN token_also text NOT NULL DEFAULT '';
