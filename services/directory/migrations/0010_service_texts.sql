-- +goose Up
-- Translations of a service's name and description, by language: {"kn": {"name": "", "description": ""}}. If a text is
-- missing, the column name or description is shown. A replica of an older release does not change texts.
ALTER TABLE services ADD COLUMN texts jsonb NOT NULL DEFAULT '{}';
