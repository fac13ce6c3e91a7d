-- +goose Up
-- The number of a consultant's desk that an admin suggests. A replica of an older release does not change the column.
ALTER TABLE consultants ADD COLUMN counter text NOT NULL DEFAULT '';
