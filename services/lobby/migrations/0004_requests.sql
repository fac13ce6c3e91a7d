-- +goose Up
-- How many privacy requests a visitor has sent, and how often with other digits than those of the phone. All links of a
-- visit have the same counts.
ALTER TABLE links ADD COLUMN asked integer NOT NULL DEFAULT 0;
ALTER TABLE links ADD COLUMN wrong_digits integer NOT NULL DEFAULT 0;
