import { ATTENTION_REASONS } from '@app/contracts/lead.words';
import { CHANNELS, TOLD_TROUBLES } from '@app/contracts/message.words';
import { TEMPLATE_STATUSES } from '@app/contracts/template.words';
import { WEBHOOK_EVENTS, WEBHOOK_TEST, type SentEvent } from '@app/contracts/webhook.words';
import { WEBHOOK_HEADERS } from '@app/domain/webhooks-out/sending/webhook-body';
import { LEAD_EVENTS, type ToldExample } from './lead-event-examples';
import { OTHER_EVENTS } from './other-event-examples';

/** A schema in the words of JSON Schema. */
type Schema = Record<string, unknown>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

const TEXT: Schema = { type: 'string' };
const TEXT_OR_NULL: Schema = { type: ['string', 'null'] };
const ID: Schema = { type: 'string', format: 'uuid' };
const ID_OR_NULL: Schema = { type: ['string', 'null'], format: 'uuid' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const FLAG: Schema = { type: 'boolean' };
const oneOf = (words: readonly string[]): Schema => ({ type: 'string', enum: [...words] });
const about = (description: string, schema: Schema): Schema => ({ ...schema, description });

const ACTOR: Schema = {
  type: 'object',
  required: ['type', 'id', 'name'],
  properties: { type: oneOf(['user', 'key', 'agent', 'scenario', 'hand']), id: TEXT, name: TEXT, run_id: ID },
};

/** What all events have. */
const FACTS: Record<string, Schema> = {
  account_id: ID,
  event_id: about('The same as the `webhook-id`: it is the same whenever the event is sent', ID),
  seq: about('Its number in the log: it grows within a dialog', { type: 'integer' }),
  thread_id: about('The dialog; null: it is about none', TEXT_OR_NULL),
  version: about('Of the dialog after it: what is older changes nothing any more', {
    type: ['integer', 'null'],
  }),
  assistant_id: about('The agent; null: it is about none', ID_OR_NULL),
  bot_id: ID_OR_NULL,
  channel: { type: ['string', 'null'], enum: [...CHANNELS.map((channel) => channel.toUpperCase()), null] },
  phone: about('Of the customer; null: it is about none, or the number is not known', TEXT_OR_NULL),
  customer: about('How the customer is known; null: it is about none', orNull(ref('CustomerAnswer'))),
  actor: about('Who did it; null: the service, the customer or the messenger', orNull(ACTOR)),
  cause: about(
    'Where a scenario did it: the scenario, with its run; of a run that a person or a key ended: who did',
    orNull(ACTOR),
  ),
  request_id: about('Of the call that caused it; null: none did', TEXT_OR_NULL),
  truncated: about('There, and true, where long texts were cut', { type: 'boolean', const: true }),
};

const BY = about('Who did it, in the words of the history', TEXT);
const changeOf = (value: Schema): Record<string, Schema> => ({ from: value, to: value, by: BY });
const MESSAGE = about('As get-message has it, as it is when it is sent', ref('MessageAnswer'));

interface Described {
  summary: string;
  /** What its `data` has besides what all events have. */
  data: Record<string, Schema>;
  /** Fields of these that only some events of the type have. */
  optional?: readonly string[];
}

const SENT_EVENTS: readonly SentEvent[] = [...WEBHOOK_EVENTS, WEBHOOK_TEST];

const DESCRIBED: Record<SentEvent, Described> = {
  'lead.created': {
    summary: 'A dialog was opened',
    data: { by: BY, customer_name: TEXT_OR_NULL },
  },
  'lead.status_changed': {
    summary: 'A lead was moved to another stage, or out of all',
    data: changeOf(orNull(ref('StageAnswer'))),
  },
  'lead.ai_switched': { summary: 'The agent was switched on or off in a dialog', data: changeOf(FLAG) },
  'lead.handler_changed': {
    summary: 'A person took a dialog over, or the agent got it back',
    data: changeOf(oneOf(['AI', 'OPERATOR'])),
  },
  'lead.opted_out': {
    summary: 'A customer wants no more messages, or wants them again: then `to` is false',
    data: changeOf(FLAG),
  },
  'lead.assigned': {
    summary: 'A dialog was given to a person, or to nobody',
    data: changeOf(orNull(ref('AssigneeAnswer'))),
  },
  'lead.renamed': { summary: 'A customer has another name', data: changeOf(TEXT_OR_NULL) },
  'lead.attention': {
    summary: 'A person is asked for in a dialog, or no longer: then `to` is null',
    data: {
      ...changeOf({ type: ['string', 'null'], enum: [...ATTENTION_REASONS, null] }),
      note: TEXT_OR_NULL,
    },
  },
  'message.received': { summary: 'A customer wrote', data: { message: MESSAGE } },
  'message.sent': {
    summary: 'The messenger took a message of ours, or a person sent one from the messenger’s app',
    data: {
      message: MESSAGE,
      status: about('Its state by this event; not of those from the messenger’s app', TEXT),
    },
    optional: ['status'],
  },
  'message.status_changed': {
    summary: 'A message of ours was delivered, read, failed, or nobody knows whether it was sent',
    data: { message: MESSAGE, status: about('Its state by this event', TEXT) },
  },
  'message.transcribed': {
    summary: 'What a customer said in a voice note, or other audio, is written down',
    data: { message: MESSAGE },
  },
  'message.edited': {
    summary: 'A customer, or a person in the messenger’s app, changed a message',
    data: { message: MESSAGE },
  },
  'message.deleted': {
    summary: 'A customer, or a person in the messenger’s app, deleted a message',
    data: { message: MESSAGE },
  },
  'batch.finished': {
    summary: 'Nothing of a list is still to be sent',
    data: { batch_id: ID, total: COUNT, sent: COUNT, failed: COUNT, queued: COUNT, unknown: COUNT },
  },
  'scenario.finished': {
    summary: 'A run of a scenario has ended',
    data: {
      run_id: ID,
      scenario_id: ID,
      state: oneOf(['done', 'failed', 'cancelled']),
      reason: TEXT_OR_NULL,
    },
  },
  'import.finished': {
    summary: 'An import is over',
    data: {
      ...{ import_id: ID, state: oneOf(['done', 'failed', 'cancelled']), rows: COUNT },
      ...{ created: COUNT, moved: COUNT, unchanged: COUNT, faults: COUNT },
    },
  },
  'template.status_changed': {
    summary: 'A template is in another state of its moderation',
    data: {
      ...{ id: ID, template_id: TEXT, name: TEXT, language: TEXT },
      ...{ from: oneOf(TEMPLATE_STATUSES), to: oneOf(TEMPLATE_STATUSES), reason: TEXT_OR_NULL },
    },
  },
  'bot.trouble': {
    summary: 'A number sends nothing until a person has seen to it, or sends again: then `resolved` is true',
    data: { code: oneOf(TOLD_TROUBLES), message: TEXT_OR_NULL, resolved: FLAG },
  },
  'quota.low': {
    summary: '80 % or all of the month’s messages are used',
    data: { month: TEXT, limit: COUNT, used: COUNT, percent: { type: 'integer', enum: [80, 100] } },
  },
  'webhook.disabled': {
    summary: 'Another endpoint of the account gets nothing any more',
    data: { endpoint_id: ID, reason: oneOf(['gone', 'failing']) },
  },
  'webhook.test': {
    summary: 'A test that an admin asked for',
    data: { seq: about('It is in no log', { type: 'null' }), endpoint_id: ID },
  },
};

const EXAMPLES: Record<SentEvent, ToldExample> = { ...LEAD_EVENTS, ...OTHER_EVENTS };

/** Further fields may come: a receiver skips what it does not know. */
function schemaOf(type: SentEvent): Schema {
  const { data, optional = [] } = DESCRIBED[type];
  const properties = { ...FACTS, ...data };
  const sometimes = ['truncated', ...optional];
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
      data: {
        type: 'object',
        required: Object.keys(properties).filter((name) => !sometimes.includes(name)),
        properties,
      },
    },
  };
}

interface Header {
  description: string;
  /** Whether each request has it. */
  required: boolean;
  schema: Schema;
}

const HEADERS: Record<keyof typeof WEBHOOK_HEADERS, Header> = {
  id: {
    description: 'Tells the event: the same for each try and each replay',
    required: true,
    schema: ID,
  },
  timestamp: {
    description: 'When it was sent, in whole seconds since 1970',
    required: true,
    schema: TEXT,
  },
  signature: {
    description: 'By Standard Webhooks, of each secret that counts, divided by blanks: `v1,…`',
    required: true,
    schema: TEXT,
  },
  replay: {
    description: 'There where it is sent again on request, by a replay',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
};

const PARAMETERS = Object.entries(HEADERS).map(([header, described]) => ({
  name: WEBHOOK_HEADERS[header as keyof typeof WEBHOOK_HEADERS],
  in: 'header',
  ...described,
}));

/** The part `webhooks` of the document: what endpoints are sent, by the types of events. */
export const WEBHOOKS: Record<string, object> = Object.fromEntries(
  SENT_EVENTS.map((type) => [
    type,
    {
      post: {
        operationId: `webhook:${type}`,
        summary: DESCRIBED[type].summary,
        description:
          'Sent at least once, and in order within a dialog, to the endpoints of the account that ask for it, until one answer of 2xx within 15 s. See `docs/integrators/webhooks.md`.',
        tags: ['Admin: webhooks out'],
        // Whoever gets it knows by the signature that it is ours.
        security: [],
        parameters: PARAMETERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaOf(type), example: { type, ...EXAMPLES[type] } } },
        },
        responses: { '2XX': { description: 'It arrived. The body is not read.' } },
      },
    },
  ]),
);
