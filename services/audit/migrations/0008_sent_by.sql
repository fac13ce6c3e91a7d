-- +goose Up
-- For a visit that a desk noted without network: the name of the user who sent it later. created_by_name is the user
-- who noted it. NULL for other visits; a replica of an older release leaves it NULL.
ALTER TABLE visits ADD COLUMN sent_by_name text;
