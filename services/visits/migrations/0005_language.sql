-- +goose Up
-- Replicas of the previous version insert rows without the column.
ALTER TABLE visits ADD COLUMN language text NOT NULL DEFAULT '';
