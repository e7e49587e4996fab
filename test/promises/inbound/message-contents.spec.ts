import { randomUUIDv7 } from 'node:crypto';
import { describe as described, type MessageContent, type Referral } from '@app/contracts/message-content';
import type { Message } from '@app/contracts/message.words';
import { contentOf } from '@app/domain/messages/dialog/message.presenter';
import { threadFor } from '@app/domain/agent/reply-context';
import { BODY_BYTES_MAX, webhookBody } from '@app/domain/webhooks-out/sending/webhook-body';
import type { CustomerMessage } from '@app/domain/webhooks/provider-events';
import { ProviderWebhookReaders } from '@app/integrations/webhooks/provider-webhook-readers';
import type { MessageRow } from '@app/persistence/messages/dialog/message-columns';
import type { LoggedEvent } from '@app/persistence/webhooks-out/logged-event.repository';
import { CONTENTS } from '@app/contracts/content-samples';
import cloudWebhooks from '../../support/recordings/cloud-webhooks.json';
import gupshupWebhooks from '../../support/recordings/gupshup-webhooks.json';

const readers = new ProviderWebhookReaders();

const cloudBody = (message: object): object => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: '1',
      changes: [
        {
          field: 'messages',
          value: {
            metadata: { phone_number_id: '1' },
            messages: [{ id: 'wamid.1', from: '77015551001', timestamp: '1764000000', ...message }],
          },
        },
      ],
    },
  ],
});

const gupshupBody = (payload: object): object => ({
  ...{ app: 'a', timestamp: 1764000000000, version: 2, type: 'message' },
  payload: { id: 'wamid.1', source: '77015551001', sender: { phone: '77015551001' }, ...payload },
});

function bodyOf(provider: 'cloud' | 'gupshup', webhook: object): CustomerMessage['body'] {
  const [item] = readers.of(provider).read(Buffer.from(JSON.stringify(webhook)));
  if (!item || !('event' in item) || item.event.kind !== 'message') throw new Error(JSON.stringify(item));
  return item.event.body;
}

/** As the API has it; a reaction names what it is about as the messenger does. */
const shown = ({ type, text, content }: CustomerMessage['body']) => {
  const reaction = content.reaction as { message_id?: string } | undefined;
  return contentOf({ type, text, content, reacted_to: reaction?.message_id ?? null });
};

/** A message as the database has it. */
const rowOf = (message: CustomerMessage['body']): MessageRow => ({
  ...{
    id: randomUUIDv7(),
    thread_id: randomUUIDv7(),
    provider_id: 'wamid.1',
    role: 'USER',
    status: 'received',
  },
  ...{
    type: message.type,
    text: message.text,
    content: message.content,
    created_at: new Date(),
    media: null,
  },
  ...{
    error_code: null,
    error_message: null,
    provider_code: null,
    shown_sent_at: null,
    quoted: null,
    pricing: null,
    author: null,
    edited_at: null,
    deleted_at: null,
  },
  reacted_to: (message.content.reaction as { message_id?: string } | undefined)?.message_id ?? null,
});

const webhookOf = (message: MessageRow): { data: { message: Message; truncated?: true } } => {
  const { created_at: at } = message;
  const event: LoggedEvent = {
    ...{
      account_id: randomUUIDv7(),
      thread_id: message.thread_id,
      assistant_id: randomUUIDv7(),
      type: 'message',
      at,
    },
    ...{
      seq: 1,
      version: 2,
      body: { by: 'USER', actor: null, message_id: message.id },
      bot_id: randomUUIDv7(),
    },
    ...{ user_id: null, wa_id: null, username: null, phone_proven: false },
    ...{ channel: 'waba', phone: null, customer_name: null, from_value: null, to_value: null, message },
  };
  const body = webhookBody(event, { type: 'message.received', event_id: randomUUIDv7() });
  if (Buffer.byteLength(body) >= BODY_BYTES_MAX) throw new Error('the body is too large');
  return JSON.parse(body) as ReturnType<typeof webhookOf>;
};

describe.each(CONTENTS)('$kind', ({ cloud, gupshup, type, text, content, line, told }) => {
  it('is read from Meta, and kept', () => {
    const body = bodyOf('cloud', cloudBody(cloud));
    expect(body).toMatchObject({ type, text });
    expect(shown(body)).toEqual(content);
  });

  if (gupshup) {
    it('is read from Gupshup, and kept', () => {
      const body = bodyOf('gupshup', gupshupBody(gupshup));
      expect(body).toMatchObject({ type, text });
      expect(shown(body)).toEqual(content);
    });
  }

  it('goes out to webhooks, whole', () => {
    const { data } = webhookOf(rowOf(bodyOf('cloud', cloudBody(cloud))));
    expect(data).toMatchObject({ message: { type, text, content, quoted: null, referral: null } });
    expect(data).not.toHaveProperty('truncated');
  });

  it('is told to the model with all its values', () => {
    const { role, ...row } = rowOf(bodyOf('cloud', cloudBody(cloud)));
    const [message] = threadFor([{ role, ...row }], '0123abcd');
    for (const value of told) expect(message?.text).toContain(value);
    expect(message?.text).not.toBe('');
  });

  it('has a line of words in both languages', () => {
    expect(described({ type, text, content }, 'en')).toBe(line.en);
    expect(described({ type, text, content }, 'ru')).toBe(line.ru);
  });
});

describe('what is very long', () => {
  const items = Array.from({ length: 400 }, (_, n) => ({ product_retailer_id: `sku-${n}`, quantity: 1 }));
  const cards = Array.from({ length: 400 }, (_, n) => ({ name: { formatted_name: `Anna ${n}` } }));
  const answers = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`field ${n}`, 'x'.repeat(50)]));
  const form = { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) };

  it.each([
    ['order', { type: 'order', order: { product_items: items } }],
    ['cards', { type: 'contacts', contacts: cards }],
    ['form', { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: form } }],
  ])('an %s has its beginning in a webhook', (_, message) => {
    const { data } = webhookOf(rowOf(bodyOf('cloud', cloudBody(message))));
    expect(data.truncated).toBe(true);
    expect(JSON.stringify(data.message.content).length).toBeGreaterThan(10_000);
  });
});

/** A webhook as a provider sends it, with ids of ours. */
interface Recording {
  kind: string;
  /** Where it is known from. */
  from: string;
  /** Each item: what is found in its event, or why it is passed over. */
  becomes: readonly object[];
  /** What a customer's message has, as the API shows it. */
  content?: MessageContent | null;
  referral?: Referral;
  /** Its line of words in English. */
  line?: string;
  /** What the API, the model and webhooks must have of it. */
  said?: readonly string[];
}

const RECORDED = [
  ...cloudWebhooks.map(({ field, value, ...recording }) => ({
    ...({ provider: 'cloud', ...recording } as Recording & { provider: 'cloud' }),
    body: {
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '900000000000001',
          time: 'time' in recording ? recording.time : undefined,
          changes: [{ value, field }],
        },
      ],
    },
  })),
  ...gupshupWebhooks.map(
    (recording) =>
      ({ provider: 'gupshup', ...recording }) as Recording & { provider: 'gupshup'; body: object },
  ),
];

/** Not a message of its own (`edit`, `revoke`), or the messenger's own word. */
const UNSPOKEN = ['edit', 'revoke', 'system'];

describe.each(RECORDED)('as $provider sends it, $kind ($from)', ({ provider, body, becomes, ...seen }) => {
  const items = readers.of(provider).read(Buffer.from(JSON.stringify(body)));
  const messages = items.flatMap((item) =>
    'event' in item && item.event.kind === 'message' && !UNSPOKEN.includes(item.event.body.type)
      ? [item.event.body]
      : [],
  );

  it('becomes what it is', () => {
    const read = items.map((item) => ('event' in item ? item.event : item));
    expect(JSON.parse(JSON.stringify(read))).toMatchObject(becomes);
  });

  it('is seen whole, where a customer says something', () => {
    expect(messages.map(shown)).toEqual(seen.content === undefined ? [] : [seen.content]);
    for (const message of messages) {
      const { role, ...row } = rowOf(message);
      const { type, text } = row;
      const { content = null, referral = null, line, said = [] } = seen;
      const { data } = webhookOf({ role, ...row });
      expect(data).toMatchObject({ message: { type, text, content, referral } });
      expect(data).not.toHaveProperty('truncated');
      expect(described({ type, text, content }, 'en')).toBe(line);
      const [model] = threadFor([{ role, ...row }], '0123abcd');
      const sent = JSON.stringify(data.message);
      for (const value of said) {
        expect(model?.text).toContain(value);
        expect(sent).toContain(value);
      }
    }
  });
});

it('an ad that brought the customer is told, by both messengers', () => {
  const referral = {
    ...{
      source_type: 'ad',
      source_id: '7',
      source_url: 'https://fb.me/x',
      headline: 'Coffee',
      body: 'Fresh',
    },
    ...{ ctwa_clid: 'click', media_type: 'image' },
  };
  const told = [
    bodyOf('cloud', cloudBody({ type: 'text', text: { body: 'Hi' }, referral })),
    bodyOf('gupshup', gupshupBody({ type: 'text', payload: { text: 'Hi' }, referral })),
  ];
  for (const body of told)
    expect(webhookOf(rowOf(body)).data.message).toMatchObject({
      content: null,
      referral: {
        ...{
          source_type: 'ad',
          source_id: '7',
          source_url: 'https://fb.me/x',
          headline: 'Coffee',
          body: 'Fresh',
        },
        click_id: 'click',
      },
    });
});
