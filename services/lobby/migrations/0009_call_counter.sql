-- +goose Up
-- A call that is taken back and made again to the same desk is not sent twice. NULL for "near", and for deliveries of
-- the release before.
ALTER TABLE deliveries ADD COLUMN counter text;
