-- +goose Up
-- The visitor's language as a BCP 47 tag; '' if it is unknown or erased. office.language is the office's default
-- language; NULL: not read from directory yet.
ALTER TABLE visits ADD COLUMN language text NOT NULL DEFAULT '';
ALTER TABLE office ADD COLUMN language text;
