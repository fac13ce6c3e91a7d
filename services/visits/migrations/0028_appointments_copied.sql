-- +goose Up
-- More values of the copied appointments. The service's id is NULL if directory is of a release that does not publish
-- it, the version is NULL in rows of a release without versions.
ALTER TABLE appointments ADD COLUMN service_id uuid, ADD COLUMN consultant_id text, ADD COLUMN version bigint;
