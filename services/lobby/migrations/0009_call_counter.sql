-- +goose Up
-- The counter of the call: a call that is taken back and made again to the same counter within a minute is not sent
-- twice. NULL for "near", and for deliveries of the previous release.
ALTER TABLE deliveries ADD COLUMN counter text;
