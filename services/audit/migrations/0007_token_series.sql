-- +goose Up
-- after_no orders the visits that desks registered without network in the register: it is the last number of the series
-- T when the visitor arrived, NULL for other visits. token_also is the second token of a visitor who has two. A replica
-- of an older release leaves both empty, so that visits are ordered by their own number.
ALTER TABLE visits ADD COLUMN after_no integer, ADD COLUMN token_also text;
