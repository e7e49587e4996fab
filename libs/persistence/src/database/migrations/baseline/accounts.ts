/** Accounts, what they have sent of their quotas, their keys, and the counters of calls. */
export const ACCOUNTS: readonly string[] = [
  `
  CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    monthly_message_quota integer CHECK (monthly_message_quota >= 0),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    automation_paused boolean NOT NULL DEFAULT false,
    wake_at timestamptz,
    second_factor_required boolean NOT NULL DEFAULT false,
    media_quota_bytes bigint CHECK (media_quota_bytes >= 0),
    retention_days integer CHECK (retention_days > 0),
    erased_before timestamptz,
    erasing_until timestamptz,
    default_country text CHECK (default_country ~ '^[A-Z]{2}$'),
    timezone text NOT NULL DEFAULT 'UTC',
    opt_out_words text[] NOT NULL DEFAULT '{}',
    opt_in_words text[] NOT NULL DEFAULT '{}',
    takeover_end text NOT NULL DEFAULT 'ask' CHECK (takeover_end IN ('ask', 'answer', 'keep')),
    transcription boolean NOT NULL DEFAULT true,
    assign_on_reply boolean NOT NULL DEFAULT true,
    opening_hours jsonb
  )`,
  'CREATE INDEX accounts_wakes ON accounts (wake_at) WHERE wake_at IS NOT NULL',
  `
  CREATE TABLE quota_usage (
    account_id uuid NOT NULL REFERENCES accounts (id),
    month date NOT NULL,
    used integer NOT NULL CHECK (used >= 0),
    told_percent integer NOT NULL DEFAULT 0 CHECK (told_percent IN (0, 80, 100)),
    PRIMARY KEY (account_id, month)
  )`,
  `
  CREATE TABLE api_keys (
    account_id uuid REFERENCES accounts (id),
    id uuid PRIMARY KEY,
    name text NOT NULL,
    prefix text NOT NULL,
    key_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    bot_ids uuid[] NOT NULL DEFAULT '{}',
    assistant_ids uuid[] NOT NULL DEFAULT '{}',
    limit_leads integer CHECK (limit_leads > 0),
    limit_general integer CHECK (limit_general > 0),
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    old_key_hash bytea,
    old_key_expires_at timestamptz,
    CONSTRAINT api_keys_admin_has_no_account CHECK ((account_id IS NULL) = (scopes = ARRAY['admin'])),
    CONSTRAINT api_keys_old_key_check CHECK ((old_key_hash IS NULL) = (old_key_expires_at IS NULL))
  )`,
  'CREATE UNIQUE INDEX api_keys_hash ON api_keys (key_hash)',
  'CREATE INDEX api_keys_account ON api_keys (account_id, id)',
  'CREATE UNIQUE INDEX api_keys_old_hash ON api_keys (old_key_hash) WHERE old_key_hash IS NOT NULL',
  `
  CREATE TABLE rate_windows (
    key_id uuid NOT NULL,
    scope text NOT NULL,
    hits timestamptz[] NOT NULL,
    PRIMARY KEY (key_id, scope)
  ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200)`,
  `
  CREATE TABLE rate_counters (
    key_id uuid NOT NULL,
    scope text NOT NULL,
    head bigint NOT NULL,
    sums bigint[] NOT NULL,
    PRIMARY KEY (key_id, scope)
  ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200)`,
  // Nothing uses it any more. A later version drops it.
  `
  CREATE TABLE rate_buckets (
    key_id uuid NOT NULL,
    scope text NOT NULL,
    head bigint NOT NULL,
    counts integer[] NOT NULL,
    PRIMARY KEY (key_id, scope)
  ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200)`,
];
