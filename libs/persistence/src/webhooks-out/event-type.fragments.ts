import { ALL_EVENTS, type WebhookEvent } from '@app/contracts/webhook.words';
import { NIL_ID } from '@app/contracts/uuid.format';

/** Types of the log that are one type for endpoints, whatever they contain. */
const SAME: readonly [logged: string, told: WebhookEvent][] = [
  ['opened', 'lead.created'],
  ['status', 'lead.status_changed'],
  ['ai', 'lead.ai_switched'],
  ['handler', 'lead.handler_changed'],
  ['opt_out', 'lead.opted_out'],
  ['assignee', 'lead.assigned'],
  ['name', 'lead.renamed'],
  ['attention', 'lead.attention'],
  ['batch', 'batch.finished'],
  ['import', 'import.finished'],
  ['template', 'template.status_changed'],
  ['bot_trouble', 'bot.trouble'],
  ['quota_low', 'quota.low'],
  ['webhook_disabled', 'webhook.disabled'],
];

/**
 * The type of an event of the log as endpoints know it; null: none is told of it. Ours is sent once the provider took it, or
 * at once where a person sent it from the messenger's app: then no call and nobody whom we know caused it. What a person notes of
 * a run that had ended, and stays so, ends it no second time: then it comes from where it goes.
 */
export const webhookTypeOf = (event: string): string => `
  CASE ${event}.type
       ${SAME.map(([logged, told]) => `WHEN '${logged}' THEN '${told}'`).join(' ')}
       WHEN 'message' THEN
         CASE WHEN ${event}.body ->> 'by' = 'USER' THEN 'message.received'
              WHEN ${event}.body ->> 'by' = 'OPERATOR' AND coalesce(${event}.body -> 'actor', 'null') = 'null'
              THEN 'message.sent' END
       WHEN 'message_state' THEN
         CASE ${event}.body ->> 'to' WHEN 'sent' THEN 'message.sent'
              WHEN 'queued' THEN NULL WHEN 'sending' THEN NULL WHEN 'dropped' THEN NULL
              ELSE 'message.status_changed' END
       WHEN 'scenario' THEN
         CASE WHEN ${event}.body ->> 'to' IN ('done', 'failed', 'cancelled')
                   AND ${event}.body ->> 'from' IS DISTINCT FROM ${event}.body ->> 'to' THEN 'scenario.finished' END
  END`;

/**
 * Whether an endpoint gets an event. One that asks for some agents gets none that is about no agent.
 * @param endpoint a row with `events` and `assistant_ids`
 * @param type an expression, not null
 */
export const isFor = (endpoint: string, event: string, type: string): string =>
  `(${endpoint}.events @> ARRAY['${ALL_EVENTS}'] OR ${type} = ANY (${endpoint}.events))
   AND (${endpoint}.assistant_ids IS NULL OR ${event}.assistant_id = ANY (${endpoint}.assistant_ids))`;

/**
 * The agents of the account `:accountId` by whose index its events are read, among them none: events that are about no
 * agent.
 */
export const LOGGED_AGENTS = `(
  SELECT id FROM assistants WHERE account_id = :accountId UNION ALL SELECT '${NIL_ID}'::uuid)`;
