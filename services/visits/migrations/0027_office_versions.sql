-- +goose Up
-- The version of the office document that this row has, and more of its values: the keys that decide when the office is
-- open on a day, the office's name, and the contact of its notice. NULL until they are read from directory. A replica
-- of the previous release reads hours and does not write these columns.
ALTER TABLE office ADD COLUMN days jsonb, ADD COLUMN version bigint, ADD COLUMN brand text, ADD COLUMN contact text;
