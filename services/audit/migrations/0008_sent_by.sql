-- +goose Up
-- The user who sent what a desk had noted without network, beside created_by_name; NULL for others. A replica of the
-- release before leaves it empty.
ALTER TABLE visits ADD COLUMN sent_by_name text;
