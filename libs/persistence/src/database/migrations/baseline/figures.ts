/**
 * What figures are counted from: stays in stages and messages of ours, how far the log of each agent is counted, and
 * what was counted of ranges of time.
 */
export const FIGURES: readonly string[] = [
  `
  CREATE TABLE figure_positions (
    account_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    seq bigint NOT NULL DEFAULT 0,
    next_seq bigint,
    next_xid bigint,
    success_ids uuid[] NOT NULL DEFAULT '{}',
    redone_to uuid,
    PRIMARY KEY (account_id, assistant_id)
  )`,
  `
  CREATE TABLE figure_stays (
    account_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    seq bigint NOT NULL,
    assistant_id uuid NOT NULL,
    status_id uuid,
    entered_at timestamptz NOT NULL,
    left_at timestamptz,
    counted boolean NOT NULL,
    earlier_at timestamptz,
    converted boolean NOT NULL DEFAULT false,
    PRIMARY KEY (account_id, thread_id, seq)
  )`,
  `
  CREATE INDEX figure_stays_entered
    ON figure_stays (account_id, assistant_id, entered_at, status_id, earlier_at, converted)
    WHERE counted`,
  `
  CREATE INDEX figure_stays_left
    ON figure_stays (account_id, assistant_id, left_at, status_id, entered_at)
    WHERE left_at IS NOT NULL`,
  // Times are found by their length.
  `
  CREATE INDEX figure_stays_lasted
    ON figure_stays (account_id, assistant_id, coalesce(status_id, '00000000-0000-0000-0000-000000000000'::uuid),
                     (left_at - entered_at), left_at, entered_at, status_id)
    WHERE left_at IS NOT NULL`,
  `
  CREATE INDEX figure_stays_returned
    ON figure_stays (account_id, assistant_id,
                     width_bucket(entered_at - earlier_at, ARRAY[
                       interval '24 hours', interval '48 hours', interval '96 hours', interval '192 hours',
                       interval '384 hours', interval '768 hours', interval '1536 hours', interval '3072 hours',
                       interval '6144 hours', interval '12288 hours']),
                     entered_at, earlier_at, status_id, converted)
    WHERE counted AND earlier_at IS NOT NULL`,
  `
  CREATE TABLE figure_messages (
    account_id uuid NOT NULL,
    message_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    bot_id uuid NOT NULL,
    channel text NOT NULL,
    at timestamptz NOT NULL,
    role text NOT NULL,
    status text NOT NULL,
    counts boolean NOT NULL,
    began_at timestamptz,
    template text,
    language text,
    replied boolean NOT NULL DEFAULT false,
    error_code text,
    provider_code integer,
    PRIMARY KEY (account_id, message_id)
  )`,
  'CREATE INDEX figure_messages_at ON figure_messages (account_id, assistant_id, at, role, began_at) WHERE counts',
  `
  CREATE INDEX figure_messages_templates
    ON figure_messages (account_id, bot_id, at, channel, template, language, status, replied, error_code, provider_code)
    WHERE template IS NOT NULL`,
  `
  CREATE INDEX figure_messages_answered
    ON figure_messages (account_id, assistant_id, (at - began_at), role, at, began_at)
    WHERE counts AND began_at IS NOT NULL`,
  `
  CREATE TABLE figure_ranges (
    account_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    kind text NOT NULL,
    from_at timestamptz NOT NULL,
    until_at timestamptz NOT NULL,
    assistant_id uuid NOT NULL,
    counted json,
    PRIMARY KEY (account_id, subject_id, kind, from_at, until_at)
  )`,
  'CREATE INDEX figure_ranges_due ON figure_ranges (account_id, assistant_id) WHERE counted IS NULL',
];
