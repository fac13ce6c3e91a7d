-- +goose Up
-- The language of a user's screens and mails; NULL until the user has chosen one. The previous release does not change
-- it.
ALTER TABLE users ADD COLUMN language text CHECK (language IN ('en', 'hi', 'kn', 'ta', 'te', 'mr'));
