-- +goose Up
-- What an administrator can undo for 30 seconds: the last deactivation or change of the role of an account, as long as
-- the account still has the version that the change gave it.
CREATE TABLE user_undos (
  user_id     text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  changed_by  text NOT NULL,
  changed_at  timestamptz NOT NULL,
  version     bigint NOT NULL, -- the account's version after the change
  role        text NOT NULL,   -- value before the change, like the columns below
  is_active   boolean NOT NULL,
  awaiting    boolean NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON user_undos TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
