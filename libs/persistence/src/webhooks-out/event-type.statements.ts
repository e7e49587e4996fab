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
  ['message_edited', 'message.edited'],
  ['message_deleted', 'message.deleted'],
  ['batch', 'batch.finished'],
  ['import', 'import.finished'],
  ['template', 'template.status_changed'],
  ['bot_trouble', 'bot.trouble'],
  ['quota_low', 'quota.low'],
  ['webhook_disabled', 'webhook.disabled'],
];

/**
 * The type of an event of the log as endpoints know it; null: they get none of it. A message of ours is sent once the provider has
 * taken it; what else is reported of it in the same state, such as its price, is no second time. One that a person writes in the messenger's app is sent already, and has no actor. A run ends once: an event that
 * leaves it in the state in which it was, such as a person's note, is no second end.
 */
const webhookTypeOf = (event: string): string => `
  CASE ${event}.type
       ${SAME.map(([logged, told]) => `WHEN '${logged}' THEN '${told}'`).join(' ')}
       WHEN 'message' THEN
         CASE WHEN ${event}.body ->> 'by' = 'USER' THEN 'message.received'
              WHEN ${event}.body ->> 'by' = 'OPERATOR' AND coalesce(${event}.body -> 'actor', 'null') = 'null'
              THEN 'message.sent' END
       WHEN 'message_state' THEN
         CASE WHEN ${event}.body ->> 'to' = 'sent' AND ${event}.body ->> 'from' IS DISTINCT FROM 'sent' THEN 'message.sent'
              WHEN ${event}.body ->> 'to' NOT IN ('queued', 'sending', 'dropped', coalesce(${event}.body ->> 'from', ''))
              THEN 'message.status_changed' END
       WHEN 'message_transcribed' THEN CASE ${event}.body ->> 'to' WHEN 'ready' THEN 'message.transcribed' END
       WHEN 'scenario' THEN
         CASE WHEN ${event}.body ->> 'to' IN ('done', 'failed', 'cancelled')
                   AND ${event}.body ->> 'from' IS DISTINCT FROM ${event}.body ->> 'to' THEN 'scenario.finished' END
  END`;

/**
 * Whether an endpoint gets an event. One that asks for some agents gets none that is about no agent.
 * @param endpoint a row with `events` and `assistant_ids`
 * @param type an expression, not null
 */
const isFor = (endpoint: string, event: string, type: string): string =>
  `(${endpoint}.events @> ARRAY['${ALL_EVENTS}'] OR ${type} = ANY (${endpoint}.events))
   AND (${endpoint}.assistant_ids IS NULL OR ${event}.assistant_id = ANY (${endpoint}.assistant_ids))`;

/**
 * Events `e` of the account `:accountId` with their `typed.type`, for the endpoint `w` and its queue `q`.
 * @param source rows of the log
 */
export const eventsBeside = (source: string): string => `
  endpoint_queues q
    JOIN webhook_endpoints w ON w.account_id = q.account_id AND w.id = q.endpoint_id
   CROSS JOIN ${source} e
   CROSS JOIN LATERAL (SELECT ${webhookTypeOf('e')} AS type) typed`;

/** Which of {@link eventsBeside} are for the endpoint `:endpointId`. An erased customer's are nobody's any more. */
export const IS_FOR_IT = `
  q.account_id = :accountId AND q.endpoint_id = :endpointId AND typed.type IS NOT NULL AND ${isFor('w', 'e', 'typed.type')}
    AND NOT EXISTS (
      SELECT 1 FROM threads h WHERE h.account_id = :accountId AND h.id = e.thread_id AND h.erased_at IS NOT NULL)`;

/**
 * The agents of the account `:accountId` by whose index its events are read, among them none: events that are about no
 * agent.
 */
export const LOGGED_AGENTS = `(
  SELECT id FROM assistants WHERE account_id = :accountId UNION ALL SELECT '${NIL_ID}'::uuid)`;

/** The newest number of the log of the account `:accountId` that is visible; 0: it has none. An expression. */
export const NEWEST_NUMBER = `(
  SELECT coalesce(max(n.seq), 0) FROM ${LOGGED_AGENTS} a
   CROSS JOIN LATERAL (
     SELECT e.seq FROM events e
      WHERE e.account_id = :accountId AND e.assistant_id >= a.id AND e.assistant_id <= a.id
      ORDER BY e.assistant_id DESC, e.seq DESC LIMIT 1) n)`;
