-- +goose Up
-- A visit that a desk registered without network has the last number of T at its arrival, which orders it in the
-- register; other visits have NULL. token_also is the second token of a visitor who has two. A replica of the release
-- before leaves both empty, so its visits are ordered by their own number.
ALTER TABLE visits ADD COLUMN after_no integer, ADD COLUMN token_also text;
