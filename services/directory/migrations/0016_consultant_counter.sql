-- +goose Up
-- The number that an admin suggests for a consultant's desk. A replica of the release before leaves the column as it is.
ALTER TABLE consultants ADD COLUMN counter text NOT NULL DEFAULT '';
