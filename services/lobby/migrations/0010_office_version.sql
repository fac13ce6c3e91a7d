-- +goose Up
-- The version of the office document in this row. NULL until it is read from directory. A replica of the previous
-- release does not write the column.
ALTER TABLE office ADD COLUMN version bigint;
