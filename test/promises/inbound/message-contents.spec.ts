import { randomUUIDv7 } from 'node:crypto';
import { describe as described } from '@app/contracts/message.description';
import type { Message } from '@app/contracts/message.words';
import { contentOf } from '@app/domain/messages/message.content';
import { threadFor } from '@app/domain/agent/reply.context';
import { BODY_BYTES_MAX, webhookBody } from '@app/domain/webhooks-out/webhook.body';
import type { CustomerMessage } from '@app/domain/webhooks/provider.events';
import { ProviderWebhookReaders } from '@app/integrations/webhooks/provider-webhook.readers';
import type { MessageRow } from '@app/persistence/messages/message.columns';
import type { LoggedEvent } from '@app/persistence/webhooks-out/logged-event.repository';
import { CONTENTS } from '@app/contracts/content.samples';

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
