-- +goose Up
-- The desk number that an admin suggests for a consultant. A replica of an older release does not change the column.
ALTER TABLE consultants ADD COLUMN counter text NOT NULL DEFAULT '';
