import type { Customer } from '@app/contracts/board-events';
import { isObject } from '@app/contracts/json-object';
import type { Actor } from '@app/contracts/lead.words';
import { formatThreadId, NIL_ID } from '@app/contracts/uuid.format';
import { WEBHOOK_TEST } from '@app/contracts/webhook.words';
import type { LoggedEvent } from '@app/persistence/webhooks-out/logged-event.repository';
import type {
  EndpointDeliveryEntity,
  WebhookEndpointEntity,
} from '@app/persistence/webhooks-out/webhook-endpoint.entity';
import { Webhook } from 'standardwebhooks';
import { customerOf } from '../../leads/lead.presenter';
import { presentMessage } from '../../messages/dialog/message.presenter';

/** The headers of a delivery besides its content type. */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  replay: 'webhook-replay',
} as const;

/**
 * The headers of one attempt by Standard Webhooks.
 * @param secrets each signs
 * @param at when it is sent, by the database's clock: receivers refuse what is minutes old
 */
export function webhookHeaders(
  { eventId, body, replayed }: { eventId: string; body: string; replayed: boolean },
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  return {
    [WEBHOOK_HEADERS.id]: eventId,
    [WEBHOOK_HEADERS.timestamp]: String(Math.floor(+at / 1_000)),
    [WEBHOOK_HEADERS.signature]: secrets
      .map((secret) => new Webhook(secret).sign(eventId, at, body))
      .join(' '),
    ...(replayed && { [WEBHOOK_HEADERS.replay]: 'true' }),
  };
}

/** A body is smaller than this, in bytes. */
export const BODY_BYTES_MAX = 20_000;

/** What a webhook says. */
interface WebhookBody {
  type: string;
  /** When it happened, ISO 8601. */
  timestamp: string;
  data: Record<string, unknown>;
}

/** What a body says of its delivery. */
type NamedDelivery = Pick<EndpointDeliveryEntity, 'type' | 'event_id'>;

/** What an event says to an endpoint, as JSON. Long texts are cut, and then `truncated` is true. */
export const webhookBody = (event: LoggedEvent, delivery: NamedDelivery): string =>
  fitted({
    type: delivery.type,
    timestamp: event.at.toISOString(),
    data: inAnswersWords({ ...factsOf(event, delivery), ...detailsOf(event) }),
  });

/** Channels are in upper case, as in all that is answered about dialogs. */
const inAnswersWords = <Data extends { channel?: unknown }>(data: Data) => ({
  ...data,
  channel: typeof data.channel === 'string' ? data.channel.toUpperCase() : null,
});

/** What a test says, with the fields that all events have. It is about nothing, and caused by nobody. */
export const testBody = (
  { account_id, id }: Pick<WebhookEndpointEntity, 'account_id' | 'id'>,
  eventId: string,
  at: Date,
): string =>
  JSON.stringify({
    type: WEBHOOK_TEST,
    timestamp: at.toISOString(),
    data: {
      ...{ account_id, event_id: eventId, seq: null, thread_id: null, version: null },
      assistant_id: null,
      bot_id: null,
      channel: null,
      phone: null,
      customer: null,
      actor: null,
      cause: null,
      ...{ request_id: null, endpoint_id: id },
    },
  } satisfies WebhookBody);

/** What all events have. */
function factsOf(event: LoggedEvent, { event_id }: NamedDelivery) {
  const { account_id, seq, thread_id, assistant_id, version, bot_id, channel, phone, body } = event;
  const isOfThread = thread_id !== NIL_ID;
  return {
    account_id,
    event_id,
    seq,
    thread_id: isOfThread ? formatThreadId(thread_id) : null,
    version: isOfThread ? version : null,
    assistant_id: assistant_id === NIL_ID ? null : assistant_id,
    bot_id,
    channel,
    phone,
    customer: customerIn(event),
    actor: body.actor ?? null,
    cause: body.cause ?? causeOf(body.actor),
    request_id: body.request_id ?? null,
  };
}

/** Null: it is about no dialog. */
const customerIn = ({ phone_proven, ...event }: LoggedEvent): Customer | null =>
  phone_proven === null ? null : customerOf({ ...event, phone_proven });

/** A scenario's step has the scenario for its cause: so a receiver can tell what its own calls brought about. */
const causeOf = (actor: Actor | null): Actor | null => (actor?.type === 'scenario' ? actor : null);

function detailsOf(event: LoggedEvent): Record<string, unknown> {
  const { type, body, from_value: from, to_value: to, message } = event;
  switch (type) {
    case 'opened':
      return { by: body.by, customer_name: event.customer_name };
    case 'message':
    case 'message_transcribed':
    case 'message_edited':
    case 'message_deleted':
      return { message: message && presentMessage(message) };
    case 'message_state':
      return { status: to, message: message && presentMessage(message) };
    case 'scenario':
      return {
        run_id: body.actor?.run_id ?? null,
        scenario_id: body.actor?.id ?? null,
        state: to,
        reason: body.note ?? null,
      };
    case 'attention':
      return { from, to, by: body.by, note: body.note ?? null };
    case 'status':
    case 'ai':
    case 'handler':
    case 'opt_out':
    case 'assignee':
    case 'name':
      return { from, to, by: body.by };
    default: {
      // About no dialog: the body has the facts by the names of the API.
      const { by: _by, actor: _actor, request_id: _request, cause: _cause, ...facts } = body;
      return { ...facts };
    }
  }
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Cuts the longest texts, one after the other, until the body is small enough. */
function fitted(body: WebhookBody): string {
  let json = JSON.stringify(body);
  if (bytesOf(json) < BODY_BYTES_MAX) return json;
  const cutBody = structuredClone(body);
  cutBody.data = { ...cutBody.data, truncated: true };
  json = JSON.stringify(cutBody);
  while (bytesOf(json) >= BODY_BYTES_MAX) {
    const longest = textsOf(cutBody.data)
      .toSorted((one, other) => other.bytes - one.bytes)
      .at(0);
    if (!longest || longest.bytes === 0) break;
    longest.cutTo(longest.bytes - (bytesOf(json) - BODY_BYTES_MAX) - 1);
    json = JSON.stringify(cutBody);
  }
  while (bytesOf(json) >= BODY_BYTES_MAX && takeLast(cutBody.data.message)) json = JSON.stringify(cutBody);
  return json;
}

/** Leaves out the last of what a message's content lists, or of the answers of its form. @returns whether there was one */
function takeLast(message: unknown): boolean {
  const { content } = isObject(message) ? message : {};
  for (const listed of isObject(content) ? [content.items, content.contacts] : [])
    if (Array.isArray(listed) && listed.length > 0) return listed.pop() !== undefined;
  const response = isObject(content) ? content.response : null;
  const field = isObject(response) ? Object.keys(response).at(-1) : undefined;
  return field !== undefined && Reflect.deleteProperty(response as object, field);
}

/** A text of the body that may be cut. */
interface CuttableText {
  /** As JSON, without its quotes. */
  bytes: number;
  cutTo(bytes: number): void;
}

/** All texts within, but those that name something. */
function textsOf(value: object): CuttableText[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]): CuttableText[] => {
    if (typeof inner === 'object' && inner !== null) return textsOf(inner);
    if (typeof inner !== 'string' || !CUT_FIELDS.has(key)) return [];
    const text = inner;
    const cutTo = (bytes: number) => Object.assign(value, { [key]: cut(text, Math.max(0, bytes)) });
    return [{ bytes: jsonBytes(text), cutTo }];
  });
}

/** Fields whose texts customers, people and models write, or providers. Ids and words are never cut. */
const CUT_FIELDS: ReadonlySet<string> = new Set([
  ...(['text', 'note', 'message', 'from', 'to', 'name', 'customer_name', 'reason'] as const),
  ...(['file_name', 'caption', 'address', 'title', 'description', 'details', 'headline', 'body'] as const),
] satisfies readonly string[]);

const jsonBytes = (text: string): number => bytesOf(JSON.stringify(text)) - 2;

/** The beginning of a text that takes no more bytes in JSON. No character is torn apart. */
function cut(text: string, bytes: number): string {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  const isTorn = low > 0 && /[\ud800-\udbff]/.test(text.charAt(low - 1));
  return text.slice(0, isTorn ? low - 1 : low);
}
