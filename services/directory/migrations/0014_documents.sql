-- +goose Up
-- The papers that visitors of a service bring: [{"key": "", "label": "", "required": true, "labels": {"kn": ""}}]. A
-- replica of the release before leaves the column as it is.
ALTER TABLE services ADD COLUMN documents jsonb NOT NULL DEFAULT '[]';
