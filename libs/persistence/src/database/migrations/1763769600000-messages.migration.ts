import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages in both directions: the numbers of bots, templates, every outgoing message as a row before the provider
 * gets a request, the keys of calls that may be repeated, and webhooks, stored before they are parsed. An outgoing
 * message is claimed by a token and a deadline of the database's clock. `quota_month` is the month in which it
 * counts; null: it never counted, or was given back. A dialog's address comes first in its unique index, so that
 * lists by phone can use it. Another index would be written with every move.
 */
export class Messages1763769600000 implements MigrationInterface {
  name = 'Messages1763769600000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE assistants
        ADD auto_return_minutes integer NOT NULL DEFAULT 30 CHECK (auto_return_minutes BETWEEN 1 AND 10080);

      ALTER TABLE bot_channels
        ADD settings jsonb NOT NULL DEFAULT '{}',
        ADD credential_key_id text,
        ADD credential bytea,
        ADD messages_per_second integer CHECK (messages_per_second BETWEEN 1 AND 10000),
        ADD stopped_at timestamptz,
        ADD stopped_reason text,
        ADD paused_until timestamptz,
        ADD lease_token uuid,
        ADD lease_until timestamptz,
        ADD created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        ADD CHECK ((credential IS NULL) = (credential_key_id IS NULL)),
        ADD CHECK ((lease_token IS NULL) = (lease_until IS NULL));
      CREATE UNIQUE INDEX bot_channels_sender ON bot_channels (channel, sender) WHERE credential IS NOT NULL;
      CREATE INDEX bot_channels_by_sender ON bot_channels (channel, sender);
      CREATE INDEX bots_id ON bots (id);

      CREATE TABLE templates (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        bot_id uuid NOT NULL,
        channel text NOT NULL,
        template_id text NOT NULL,
        name text NOT NULL,
        language text NOT NULL,
        category text NOT NULL,
        status text NOT NULL CHECK (status IN ('draft', 'pending', 'approved', 'rejected', 'paused', 'disabled')),
        provider_id text,
        parameter_format text NOT NULL DEFAULT 'positional' CHECK (parameter_format IN ('positional', 'named')),
        header jsonb,
        body text NOT NULL,
        footer text,
        buttons jsonb NOT NULL DEFAULT '[]',
        examples jsonb NOT NULL DEFAULT '{}',
        params_count integer NOT NULL CHECK (params_count >= 0),
        param_names text[] NOT NULL DEFAULT '{}',
        reason text,
        status_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id),
        FOREIGN KEY (account_id, bot_id, channel) REFERENCES bot_channels (account_id, bot_id, channel)
      );
      CREATE UNIQUE INDEX templates_known_as ON templates (account_id, bot_id, channel, template_id, language);
      CREATE UNIQUE INDEX templates_at_provider ON templates (account_id, bot_id, channel, name, language);

      ALTER TABLE threads ADD user_id text, ADD wa_id text;
      CREATE UNIQUE INDEX threads_user ON threads (account_id, bot_id, channel, user_id) WHERE user_id IS NOT NULL;
      CREATE INDEX threads_newest ON threads (account_id, assistant_id, id DESC);
      DROP INDEX threads_dialog;
      CREATE UNIQUE INDEX threads_dialog ON threads (account_id, contact, bot_id, channel);

      CREATE TABLE batches (
        account_id uuid NOT NULL REFERENCES accounts (id),
        id uuid NOT NULL,
        bot_id uuid NOT NULL,
        channel text NOT NULL,
        total integer NOT NULL CHECK (total > 0),
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id)
      );

      ALTER TABLE messages
        ADD bot_id uuid,
        ADD channel text,
        ADD came_in boolean NOT NULL DEFAULT false,
        ADD type text NOT NULL DEFAULT 'text',
        ADD status text,
        ADD content jsonb NOT NULL DEFAULT '{}',
        ADD recipient text,
        ADD batch_id uuid,
        ADD batch_index integer,
        ADD due_at timestamptz,
        ADD attempts integer NOT NULL DEFAULT 0,
        ADD claim_token uuid,
        ADD claim_until timestamptz,
        ADD handoff_until timestamptz,
        ADD provider_id text,
        ADD whatsapp_id text,
        ADD error_code text,
        ADD error_message text,
        ADD provider_code integer,
        ADD provider_response text,
        ADD quota_month date,
        ADD accepted_at timestamptz,
        ADD delivered_at timestamptz,
        ADD read_at timestamptz,
        ADD failed_at timestamptz;
      UPDATE messages m SET status = CASE m.role WHEN 'USER' THEN 'received' ELSE 'delivered' END,
        came_in = m.role = 'USER', bot_id = t.bot_id, channel = t.channel
        FROM threads t WHERE t.account_id = m.account_id AND t.id = m.thread_id;
      ALTER TABLE messages
        ALTER bot_id SET NOT NULL,
        ALTER channel SET NOT NULL,
        ALTER status SET NOT NULL,
        ALTER sent_at DROP NOT NULL,
        ADD CHECK (status IN ('received', 'queued', 'sending', 'unknown', 'sent', 'failed', 'delivered', 'read', 'dropped')),
        ADD CHECK ((claim_token IS NULL) = (claim_until IS NULL)),
        ADD CHECK ((status = 'sending') <= (claim_token IS NOT NULL)),
        ADD CHECK ((status = 'queued') <= (due_at IS NOT NULL)),
        ADD CHECK ((batch_id IS NULL) = (batch_index IS NULL));
      CREATE UNIQUE INDEX messages_came_in ON messages (account_id, bot_id, channel, provider_id) WHERE came_in;
      CREATE INDEX messages_went_out ON messages (account_id, bot_id, channel, provider_id)
        WHERE NOT came_in AND provider_id IS NOT NULL;
      CREATE INDEX messages_whatsapp_id ON messages (account_id, bot_id, channel, whatsapp_id) WHERE whatsapp_id IS NOT NULL;
      CREATE UNIQUE INDEX messages_batch ON messages (account_id, batch_id, batch_index) WHERE batch_id IS NOT NULL;
      CREATE INDEX messages_queued ON messages (account_id, bot_id, channel, due_at, id) WHERE status = 'queued';
      CREATE INDEX messages_claimed ON messages (claim_until) WHERE status = 'sending';
      CREATE INDEX messages_handoffs ON messages (account_id, thread_id) WHERE handoff_until IS NOT NULL;

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
        CHECK ((message_id IS NULL) <> (batch_id IS NULL))
      );
      CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

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
        received_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at, id) WHERE state = 'due';
      CREATE INDEX webhook_deliveries_done ON webhook_deliveries (received_at) WHERE state = 'done';
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
        created_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE UNIQUE INDEX webhook_rejects_once ON webhook_rejects (delivery_id, path);
      CREATE TABLE webhook_marks (
        account_id uuid NOT NULL REFERENCES accounts (id),
        mark bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, mark)
      );
      CREATE INDEX webhook_marks_age ON webhook_marks (created_at);
      CREATE TABLE parked_states (
        account_id uuid NOT NULL REFERENCES accounts (id),
        id bigint GENERATED ALWAYS AS IDENTITY,
        bot_id uuid NOT NULL,
        channel text NOT NULL,
        provider_id text NOT NULL,
        state text NOT NULL,
        body jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (account_id, id)
      );
      CREATE UNIQUE INDEX parked_states_once ON parked_states (account_id, bot_id, channel, provider_id, state);
      CREATE INDEX parked_states_age ON parked_states (created_at);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE parked_states, webhook_marks, webhook_rejects, webhook_deliveries, idempotency_keys;
      DROP INDEX messages_came_in, messages_went_out, messages_whatsapp_id, messages_batch, messages_queued,
        messages_claimed, messages_handoffs, threads_user, threads_newest, threads_dialog, bot_channels_sender,
        bot_channels_by_sender, bots_id;
      CREATE UNIQUE INDEX threads_dialog ON threads (account_id, bot_id, channel, contact);
      DELETE FROM messages WHERE sent_at IS NULL;
      ALTER TABLE messages
        ALTER sent_at SET NOT NULL,
        DROP bot_id, DROP channel, DROP came_in, DROP type, DROP status, DROP content, DROP recipient, DROP batch_id,
        DROP batch_index, DROP due_at, DROP attempts, DROP claim_token, DROP claim_until, DROP handoff_until,
        DROP provider_id, DROP whatsapp_id, DROP error_code, DROP error_message, DROP provider_code,
        DROP provider_response, DROP quota_month, DROP accepted_at, DROP delivered_at, DROP read_at, DROP failed_at;
      DROP TABLE batches, templates;
      ALTER TABLE threads DROP user_id, DROP wa_id;
      ALTER TABLE bot_channels
        DROP settings, DROP credential_key_id, DROP credential, DROP messages_per_second, DROP stopped_at,
        DROP stopped_reason, DROP paused_until, DROP lease_token, DROP lease_until, DROP created_at;
      ALTER TABLE assistants DROP auto_return_minutes;
    `);
  }
}
