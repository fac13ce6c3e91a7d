-- +goose Up
-- The papers that visitors of a service bring: [{"key": "", "label": "", "required": true, "labels": {"kn": ""}}]. A
-- replica of an older release does not change the column.
ALTER TABLE services ADD COLUMN documents jsonb NOT NULL DEFAULT '[]';
