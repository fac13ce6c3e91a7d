-- +goose Up
-- asked is the number of privacy requests that a visitor has sent, wrong_digits the number of tries with digits that
-- are not those of the phone. All links of a visit have the same counts.
ALTER TABLE links ADD COLUMN asked integer NOT NULL DEFAULT 0;
ALTER TABLE links ADD COLUMN wrong_digits integer NOT NULL DEFAULT 0;
