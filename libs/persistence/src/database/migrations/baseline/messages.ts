/**
 * Messages in both directions, the lists that were sent, the keys of calls that may be repeated, reports that came
 * before their message, and opt-outs that outlive an erasure. A message that goes out is a row before the provider gets
 * a request, and is claimed by a token and a deadline of the database's clock.
 */
export const MESSAGES: readonly string[] = [
  // A list stores the range of its messages' ids, so that they are found by the primary key. An index by list would be
  // written three times for each message, once for each of its states (some 35 µs of PostgreSQL a message).
  `
  CREATE TABLE batches (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id uuid NOT NULL,
    bot_id uuid NOT NULL,
    channel text NOT NULL,
    total integer NOT NULL CHECK (total > 0),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    first_message_id uuid,
    last_message_id uuid,
    finished_at timestamptz,
    open_message_id uuid,
    PRIMARY KEY (account_id, id)
  )`,
  'CREATE INDEX batches_unfinished ON batches (account_id, id) WHERE finished_at IS NULL',
  'CREATE INDEX batches_bot ON batches (account_id, bot_id, id)',
  `
  CREATE TABLE messages (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    thread_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('AI', 'USER', 'OPERATOR', 'SYSTEM')),
    text text NOT NULL,
    sent_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    bot_id uuid NOT NULL,
    channel text NOT NULL,
    inbound boolean NOT NULL DEFAULT false,
    type text NOT NULL DEFAULT 'text',
    status text NOT NULL
      CHECK (status IN ('received', 'queued', 'sending', 'unknown', 'sent', 'failed', 'delivered', 'read', 'dropped')),
    content jsonb NOT NULL DEFAULT '{}',
    recipient text,
    batch_id uuid,
    batch_index integer,
    due_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    claim_token uuid,
    claim_until timestamptz,
    send_permit_until timestamptz,
    provider_id text,
    whatsapp_id text,
    error_code text,
    error_message text,
    provider_code integer,
    provider_response text,
    quota_month date,
    accepted_at timestamptz,
    delivered_at timestamptz,
    read_at timestamptz,
    failed_at timestamptz,
    run_id uuid,
    media_id uuid,
    trace text,
    edited_at timestamptz,
    deleted_at timestamptz,
    author_id uuid,
    pricing jsonb,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, media_id) REFERENCES media (account_id, id),
    FOREIGN KEY (account_id, thread_id) REFERENCES threads (account_id, id),
    CONSTRAINT messages_batch_with_index CHECK ((batch_id IS NULL) = (batch_index IS NULL)),
    CONSTRAINT messages_claim_with_end CHECK ((claim_token IS NULL) = (claim_until IS NULL)),
    CONSTRAINT messages_queued_is_due CHECK ((status = 'queued') <= (due_at IS NOT NULL)),
    CONSTRAINT messages_sending_is_claimed CHECK ((status = 'sending') <= (claim_token IS NOT NULL))
  )`,
  'CREATE INDEX messages_thread ON messages (account_id, thread_id, created_at DESC, id DESC)',
  'CREATE UNIQUE INDEX messages_inbound ON messages (account_id, bot_id, channel, provider_id) WHERE inbound',
  `
  CREATE INDEX messages_outbound ON messages (account_id, bot_id, channel, provider_id)
    WHERE NOT inbound AND provider_id IS NOT NULL`,
  `
  CREATE INDEX messages_whatsapp_id
    ON messages (account_id, bot_id, channel, whatsapp_id)
    WHERE whatsapp_id IS NOT NULL`,
  `CREATE INDEX messages_queued ON messages (account_id, bot_id, channel, due_at, id) WHERE status = 'queued'`,
  `CREATE INDEX messages_claimed ON messages (claim_until) WHERE status = 'sending'`,
  'CREATE INDEX messages_send_permits ON messages (account_id, thread_id) WHERE send_permit_until IS NOT NULL',
  // What failed in the last hour is counted for whoever watches the service. Few messages fail: the index is small.
  'CREATE INDEX messages_failed ON messages (failed_at) WHERE failed_at IS NOT NULL',
  'CREATE INDEX messages_media ON messages (account_id, media_id) WHERE media_id IS NOT NULL',
  // Notes what is new, so that no statement that stores a message can forget it, that of another version included.
  `
  CREATE FUNCTION note_searched_messages() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO search_queue (account_id, thread_id, message_id) SELECT account_id, thread_id, id FROM stored;
    RETURN NULL;
  END $$`,
  `
  CREATE TRIGGER messages_are_searched AFTER INSERT ON messages REFERENCING NEW TABLE AS stored
    FOR EACH STATEMENT EXECUTE FUNCTION note_searched_messages()`,
  `
  CREATE TABLE idempotency_keys (
    account_id uuid NOT NULL REFERENCES accounts (id),
    operation text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    message_id uuid,
    batch_id uuid,
    answer text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, operation, key),
    CONSTRAINT idempotency_keys_of_message_or_batch CHECK ((message_id IS NULL) <> (batch_id IS NULL))
  )`,
  'CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)',
  `
  CREATE TABLE parked_states (
    account_id uuid NOT NULL REFERENCES accounts (id),
    id bigint GENERATED ALWAYS AS IDENTITY,
    bot_id uuid NOT NULL,
    channel text NOT NULL,
    provider_id text NOT NULL,
    state text NOT NULL,
    body jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    next_check_at timestamptz DEFAULT clock_timestamp() + interval '1 s',
    PRIMARY KEY (account_id, id)
  )`,
  'CREATE UNIQUE INDEX parked_states_once ON parked_states (account_id, bot_id, channel, provider_id, state)',
  'CREATE INDEX parked_states_age ON parked_states (created_at)',
  'CREATE INDEX parked_states_due ON parked_states (next_check_at) WHERE next_check_at IS NOT NULL',
  `
  CREATE TABLE kept_opt_outs (
    account_id uuid NOT NULL REFERENCES accounts (id),
    mark bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, mark)
  )`,
];
