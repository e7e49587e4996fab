/** People who work in an account: their sign-in, their sessions, and the links that invite them. */
export const PEOPLE: readonly string[] = [
  `
  CREATE TABLE users (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('operator', 'admin')),
    assistant_ids uuid[],
    locale text NOT NULL CHECK (locale IN ('ru', 'en')),
    password_hash text,
    second_factor_key_id text,
    second_factor_secret bytea,
    second_factor_enabled_at timestamptz,
    second_factor_step bigint,
    disabled_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_seen_at timestamptz,
    PRIMARY KEY (account_id, id),
    CONSTRAINT users_secret_with_key CHECK ((second_factor_secret IS NULL) = (second_factor_key_id IS NULL))
  )`,
  'CREATE UNIQUE INDEX users_email ON users (email_key)',
  'CREATE UNIQUE INDEX users_id ON users (id)',
  `
  CREATE TABLE user_sessions (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    network text NOT NULL,
    ip text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    confirmed_at timestamptz,
    ended_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id)
  )`,
  'CREATE UNIQUE INDEX user_sessions_token ON user_sessions (token_hash)',
  'CREATE INDEX user_sessions_user ON user_sessions (account_id, user_id)',
  'CREATE INDEX user_sessions_age ON user_sessions (created_at)',
  `
  CREATE TABLE invitations (
    account_id uuid NOT NULL,
    user_id uuid NOT NULL,
    token_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, user_id),
    FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id)
  )`,
  'CREATE UNIQUE INDEX invitations_token ON invitations (token_hash)',
  `
  CREATE TABLE recovery_codes (
    account_id uuid NOT NULL,
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    PRIMARY KEY (account_id, user_id, code_hash),
    FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id)
  )`,
  `
  CREATE TABLE sign_in_tries (
    subject bytea PRIMARY KEY,
    tries timestamptz[] NOT NULL,
    last_at timestamptz NOT NULL
  )`,
  'CREATE INDEX sign_in_tries_age ON sign_in_tries (last_at)',
];
