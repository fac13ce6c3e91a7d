-- +goose Up
-- The visitor's language as a BCP 47 tag; '' when a release before registered the visitor. The column of the office has
-- its default language; NULL: not read from directory yet.
ALTER TABLE visits ADD COLUMN language text NOT NULL DEFAULT '';
ALTER TABLE office ADD COLUMN language text;
