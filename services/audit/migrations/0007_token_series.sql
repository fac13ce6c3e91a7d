-- +goose Up
-- For a visit that a desk registered without network, after_no is the place in the register: the last number of the
-- series T when the visitor arrived. For other visits it is NULL. token_also is the second token of a visitor who has
-- two. A replica of an older release leaves both empty, so that visits are ordered by their own number.
ALTER TABLE visits ADD COLUMN after_no integer, ADD COLUMN token_also text;
