-- +goose Up
-- The role of the sender when the notification was sent; null in rows of a release that did not store it.
ALTER TABLE notifications ADD COLUMN sender_role text;
