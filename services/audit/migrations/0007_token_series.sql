-- +goose Up
-- after_no is the place in the register of a visit that a desk registered without network: the last number of the
-- series T when the visitor arrived. It is NULL for other visits. token_also is the second token of a visitor who has
-- two. A replica of an older release leaves both empty, so that visits are ordered by their own number.
ALTER TABLE visits ADD COLUMN after_no integer, ADD COLUMN token_also text;
