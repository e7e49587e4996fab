/**
 * Dialogs, each with every fact that decides about it in one row, the addresses that lead to them, and the words that
 * find them. A dialog has no foreign key to its stage: it would make a multixact for nearly every move into a busy stage
 * (rate 0.81, measured). Stages are archived, never deleted.
 */
export const THREADS: readonly string[] = [
  // Half of each page is left free. Every message and each of its states updates its dialog's row, and those of a list
  // come at once. A row that finds room in its page is updated without a new entry in each index. (Measured with new
  // dialogs: 41 % of updates at fillfactor 85, all at 50; some 40 µs of PostgreSQL a message.)
  `
  CREATE TABLE threads (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    bot_id uuid NOT NULL,
    channel text NOT NULL,
    contact text NOT NULL,
    phone text,
    customer_name text,
    status_id uuid,
    status_set_at timestamptz,
    status_set_by text CHECK (status_set_by IN ('AI', 'OPERATOR_MANUAL', 'SCENARIO', 'SYSTEM')),
    version bigint NOT NULL DEFAULT 1,
    ai_enabled boolean NOT NULL DEFAULT true,
    takeover_until timestamptz,
    ai_epoch bigint NOT NULL DEFAULT 0,
    opted_out boolean NOT NULL DEFAULT false,
    waiting_message_id uuid,
    waiting_at timestamptz,
    last_message_role text,
    last_message_text text,
    last_message_at timestamptz,
    unread_count integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    last_activity_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    user_id text,
    wa_id text,
    last_inbound_at timestamptz,
    last_outbound_at timestamptz,
    opt_requested_at timestamptz,
    opt_request_arrived_at timestamptz,
    burst_started_at timestamptz,
    attention text,
    answer_count integer NOT NULL DEFAULT 0,
    has_runs boolean NOT NULL DEFAULT false,
    replied_at timestamptz,
    attention_note text,
    attention_since timestamptz,
    name_override text,
    waiting_since timestamptz,
    assignee_id uuid,
    erased_at timestamptz,
    former_addresses text[],
    username text,
    phone_proven boolean NOT NULL DEFAULT false,
    same_customer uuid[],
    last_message_lines jsonb,
    conducted_elsewhere boolean NOT NULL DEFAULT false,
    control_reported_at timestamptz,
    status_cleared_at timestamptz,
    attention_provider_code integer,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, assistant_id) REFERENCES assistants (account_id, id),
    FOREIGN KEY (account_id, bot_id) REFERENCES bots (account_id, id),
    CONSTRAINT threads_opt_request_with_arrival
      CHECK ((opt_requested_at IS NULL) = (opt_request_arrived_at IS NULL)),
    CONSTRAINT threads_opted_out_is_silent CHECK (NOT (opted_out AND ai_enabled)),
    CONSTRAINT threads_stage_with_time_and_source
      CHECK ((status_id IS NULL) = (status_set_at IS NULL) AND (status_id IS NULL) = (status_set_by IS NULL)),
    CONSTRAINT threads_waiting_since CHECK ((waiting_message_id IS NULL) = (waiting_at IS NULL))
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX threads_board ON threads (account_id, assistant_id, status_id, last_activity_at DESC, id DESC)',
  'CREATE UNIQUE INDEX threads_user ON threads (account_id, bot_id, channel, user_id) WHERE user_id IS NOT NULL',
  'CREATE INDEX threads_newest ON threads (account_id, assistant_id, id DESC)',
  // The address comes first, so that lists by phone can use it. Another index would be written with every move.
  'CREATE UNIQUE INDEX threads_contact ON threads (account_id, contact, bot_id, channel)',
  'CREATE INDEX threads_takeovers ON threads (takeover_until) WHERE takeover_until IS NOT NULL',
  'CREATE INDEX threads_activity ON threads (account_id, assistant_id, last_activity_at DESC, id DESC)',
  // Dialogs by how long their customers wait: since the first unanswered message.
  `
  CREATE INDEX threads_waiting
    ON threads (account_id, assistant_id, coalesce(waiting_since, waiting_at), id)
    WHERE waiting_message_id IS NOT NULL AND answer_count = 0`,
  'CREATE INDEX threads_assignee ON threads (account_id, assignee_id, assistant_id, id) WHERE assignee_id IS NOT NULL',
  // Dialogs that came with a history: their last activity was before they were added. Retention finds them at once.
  // Others are not in the index, so moves and messages write nothing to it.
  `
  CREATE INDEX threads_past ON threads (account_id, last_activity_at)
    WHERE last_activity_at < created_at AND erased_at IS NULL`,
  `
  CREATE TABLE thread_addresses (
    account_id uuid NOT NULL,
    address text NOT NULL,
    bot_id uuid NOT NULL,
    channel text NOT NULL,
    thread_id uuid NOT NULL,
    PRIMARY KEY (account_id, address, bot_id, channel)
  )`,
  'CREATE INDEX thread_addresses_thread ON thread_addresses (account_id, thread_id)',
  // The words are folded by the service, not by the database's locale, and written a second after the message.
  `
  CREATE TABLE thread_search (
    account_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    customer_words tsvector NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (account_id, thread_id)
  )`,
  // A search reads the pending entries one by one, so there are few.
  `
  CREATE INDEX thread_search_words ON thread_search USING gin ((customer_words || words))
    WITH (gin_pending_list_limit = 256)`,
  `
  CREATE TABLE search_queue (
    account_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    thread_id uuid NOT NULL,
    message_id uuid,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, id)
  )`,
  'CREATE INDEX search_queue_dialogs ON search_queue (account_id, id) WHERE message_id IS NULL',
  // New messages are found beside any number of dialogs that are to be read as a whole. Without the index each look read
  // all of these: of a million, 190 a second were made findable instead of 600 (measured).
  'CREATE INDEX search_queue_messages ON search_queue (account_id, id) WHERE message_id IS NOT NULL',
];
