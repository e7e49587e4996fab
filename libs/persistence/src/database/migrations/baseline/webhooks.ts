/**
 * Webhooks, stored before they are parsed, what could not be taken in of them, and marks by which a report that comes again
 * is known.
 */
export const WEBHOOKS: readonly string[] = [
  `
  CREATE TABLE webhook_deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text NOT NULL CHECK (provider IN ('cloud', 'gupshup')),
    bot_id uuid,
    body bytea NOT NULL,
    state text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'done')),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease_token uuid,
    lease_until timestamptz,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    claim_group text NOT NULL DEFAULT '',
    trace text,
    signed_for text[]
  )`,
  `CREATE INDEX webhook_deliveries_done ON webhook_deliveries (received_at) WHERE state = 'done'`,
  // Each number gets an equal share of a claim.
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (claim_group, due_at, id) WHERE state = 'due'`,
  `
  CREATE TABLE webhook_rejects (
    id uuid PRIMARY KEY,
    account_id uuid,
    provider text NOT NULL,
    bot_id uuid,
    delivery_id bigint NOT NULL,
    path text NOT NULL,
    reason text NOT NULL,
    item bytea NOT NULL,
    received_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    signed_for text[]
  )`,
  'CREATE INDEX webhook_rejects_age ON webhook_rejects (created_at)',
  // What could not be taken in is kept once, as it first came: providers send the same for days. It is the same where
  // provider, bot of the address and bytes are, in whichever webhook and place of it.
  'CREATE UNIQUE INDEX webhook_rejects_once ON webhook_rejects (provider, bot_id, sha256(item)) NULLS NOT DISTINCT',
  'CREATE INDEX webhook_rejects_delivery ON webhook_rejects (delivery_id)',
  `
  CREATE TABLE webhook_marks (
    account_id uuid NOT NULL REFERENCES accounts (id),
    mark bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, mark)
  )`,
  'CREATE INDEX webhook_marks_age ON webhook_marks (created_at)',
];
