-- +goose Up
-- The languages that the office's privacy notice has: English and those of its translations. NULL until the release with
-- this column has read them from directory.
ALTER TABLE office ADD COLUMN notice_languages text[];
