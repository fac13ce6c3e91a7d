-- +goose Up
-- Whether a mail to the administrators has counted the account among those that wait for approval. The release before
-- does not read it.
ALTER TABLE users ADD COLUMN announced boolean NOT NULL DEFAULT false;
