-- +goose Up
-- Name and description of a service by language, {"kn": {"name": "", "description": ""}}. Those of the columns are
-- shown where a text is missing. A replica of the release before leaves the column as it is.
ALTER TABLE services ADD COLUMN texts jsonb NOT NULL DEFAULT '{}';
