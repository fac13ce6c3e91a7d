-- +goose Up
-- The number that an admin suggests for a consultant's desk. NULL until an event of directory has one. A replica of the
-- previous release does not write the column.
ALTER TABLE consultants ADD COLUMN counter text;
