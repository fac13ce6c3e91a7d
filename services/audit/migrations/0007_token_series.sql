-- +goose Up
-- Visits that a desk registered without network: the last number of T at their arrival, which orders them in the book of
-- visitors, NULL for others; and the second token of a visitor who has two. A replica of the release before leaves them
-- empty: such a visit stands by its number.
ALTER TABLE visits ADD COLUMN after_no integer, ADD COLUMN token_also text;
