-- +goose Up
-- The languages of the office's privacy notice: English and those of its translations. NULL until they are read from
-- directory.
ALTER TABLE office ADD COLUMN notice_languages text[];
