import type { MessageContent } from './message-content';

/** A sample for tests. A message of a kind of content: as the messengers tell it, and as everybody is shown it. */
export interface SentContent {
  kind: string;
  /** As Meta tells it. */
  cloud: Record<string, unknown>;
  /** As Gupshup tells it, where it does. */
  gupshup?: { type: string; payload: Record<string, unknown> };
  type: string;
  text: string;
  /** As the API has it. What it is about is named by us, so a reaction has the messenger's id here. */
  content: MessageContent;
  /** Its line of words. */
  line: { en: string; ru: string };
  /** What the model must be told of it. */
  told: readonly string[];
}

const OURS = 'wamid.OURS';
const CARD = { name: { formatted_name: 'Anna' }, phones: [{ phone: '+7 701 555 10 01', type: 'CELL' }] };
const NO_CARD = { name: null, organization: null, phones: [], emails: [] };

/** A message of each kind of content, with the edges of each. */
export const CONTENTS: readonly SentContent[] = [
  {
    kind: 'a named place',
    cloud: {
      type: 'location',
      location: {
        latitude: 43.238949,
        longitude: 76.889709,
        name: 'Coffee Boom',
        address: 'Abay 10',
        url: 'https://x.kz',
      },
    },
    gupshup: {
      type: 'location',
      payload: { latitude: '43.238949', longitude: '76.889709', name: 'Coffee Boom', address: 'Abay 10' },
    },
    ...{ type: 'location', text: '' },
    content: {
      type: 'location',
      latitude: 43.238949,
      longitude: 76.889709,
      name: 'Coffee Boom',
      address: 'Abay 10',
    },
    line: { en: 'Location: Coffee Boom, Abay 10', ru: 'Место: Coffee Boom, Abay 10' },
    told: ['Coffee Boom', 'Abay 10', '43.238949, 76.889709'],
  },
  {
    kind: 'a bare place',
    cloud: { type: 'location', location: { latitude: -33, longitude: 0 } },
    gupshup: { type: 'location', payload: { latitude: -33, longitude: 0 } },
    ...{ type: 'location', text: '' },
    content: { type: 'location', latitude: -33, longitude: 0, name: null, address: null },
    line: { en: 'Location: -33, 0', ru: 'Место: -33, 0' },
    told: ['-33, 0'],
  },
  {
    kind: 'a business card',
    cloud: {
      type: 'contacts',
      contacts: [
        { ...CARD, org: { company: 'Kaspi' }, emails: [{ email: 'anna@kaspi.kz', type: 'WORK' }, {}] },
      ],
    },
    gupshup: {
      type: 'contact',
      payload: { contacts: [{ ...CARD, org: { company: 'Kaspi' }, emails: [{ email: 'anna@kaspi.kz' }] }] },
    },
    ...{ type: 'contacts', text: '' },
    content: {
      type: 'contacts',
      contacts: [
        {
          ...{ name: 'Anna', organization: 'Kaspi', emails: ['anna@kaspi.kz'] },
          phones: [{ phone: '+7 701 555 10 01', label: 'CELL' }],
        },
      ],
    },
    line: {
      en: 'Contact: Anna, Kaspi, +7 701 555 10 01 (CELL), anna@kaspi.kz',
      ru: 'Контакт: Anna, Kaspi, +7 701 555 10 01 (CELL), anna@kaspi.kz',
    },
    told: ['Anna, Kaspi, +7 701 555 10 01 (CELL), anna@kaspi.kz'],
  },
  {
    kind: 'cards of which one has little and one nothing',
    cloud: { type: 'contacts', contacts: [CARD, { phones: [{ wa_id: '77015551002' }] }, {}] },
    ...{ type: 'contacts', text: '' },
    content: {
      type: 'contacts',
      contacts: [
        { ...NO_CARD, name: 'Anna', phones: [{ phone: '+7 701 555 10 01', label: 'CELL' }] },
        { ...NO_CARD, phones: [{ phone: '+77015551002', label: null }] },
        NO_CARD,
      ],
    },
    line: { en: 'Contacts: Anna, +77015551002', ru: 'Контакты: Anna, +77015551002' },
    told: ['Anna, +7 701 555 10 01 (CELL)', '+77015551002'],
  },
  {
    kind: 'an order',
    cloud: {
      type: 'order',
      order: {
        ...{ catalog_id: '900', text: 'Faster, please' },
        product_items: [
          { product_retailer_id: 'tea-100', quantity: 2, item_price: 1200.5, currency: 'KZT' },
          { product_retailer_id: 'cup', quantity: '1', item_price: '19.90', currency: 'USD' },
          { product_retailer_id: 'gift' },
        ],
      },
    },
    ...{ type: 'order', text: 'Faster, please' },
    content: {
      type: 'order',
      catalog_id: '900',
      items: [
        { product_id: 'tea-100', quantity: 2, price: '1200.5', currency: 'KZT' },
        { product_id: 'cup', quantity: 1, price: '19.90', currency: 'USD' },
        { product_id: 'gift', quantity: null, price: null, currency: null },
      ],
    },
    line: {
      en: 'Order: 2 × tea-100 (1200.5 KZT), 1 × cup (19.90 USD), 1 × gift. Faster, please',
      ru: 'Заказ: 2 × tea-100 (1200.5 KZT), 1 × cup (19.90 USD), 1 × gift. Faster, please',
    },
    told: ['2 × tea-100 (1200.5 KZT)', '1 × cup (19.90 USD)', '1 × gift', 'Faster, please'],
  },
  {
    kind: 'an order of a very small price',
    cloud: {
      type: 'order',
      order: { product_items: [{ product_retailer_id: 'bit', quantity: 1, item_price: 1e-7 }] },
    },
    ...{ type: 'order', text: '' },
    content: {
      ...{ type: 'order', catalog_id: null },
      items: [{ product_id: 'bit', quantity: 1, price: '0.0000001', currency: null }],
    },
    line: { en: 'Order: 1 × bit (0.0000001)', ru: 'Заказ: 1 × bit (0.0000001)' },
    told: ['1 × bit (0.0000001)'],
  },
  {
    kind: 'a button of a template',
    cloud: { type: 'button', button: { payload: 'confirm:41', text: 'Confirm' } },
    gupshup: {
      type: 'quick_reply',
      payload: { type: 'button', text: 'Confirm', postbackText: 'confirm:41' },
    },
    ...{ type: 'button', text: 'Confirm' },
    content: { type: 'choice', id: 'confirm:41', title: 'Confirm', description: null },
    line: { en: 'Confirm', ru: 'Confirm' },
    told: ['Confirm'],
  },
  {
    kind: 'a button',
    cloud: {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'yes:41', title: 'Yes' } },
    },
    gupshup: { type: 'button_reply', payload: { title: 'Yes', id: '', postbackText: 'yes:41' } },
    ...{ type: 'interactive', text: 'Yes' },
    content: { type: 'choice', id: 'yes:41', title: 'Yes', description: null },
    line: { en: 'Yes', ru: 'Yes' },
    told: ['Yes'],
  },
  {
    kind: 'a row of a list',
    cloud: {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'tea', title: 'Tea', description: 'black' } },
    },
    gupshup: { type: 'list_reply', payload: { title: 'Tea', postbackText: 'tea', description: 'black' } },
    ...{ type: 'interactive', text: 'Tea' },
    content: { type: 'choice', id: 'tea', title: 'Tea', description: 'black' },
    line: { en: 'Tea', ru: 'Tea' },
    told: ['Tea', 'black'],
  },
  {
    kind: 'a form',
    cloud: {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: {
          ...{ name: 'flow', body: 'Sent' },
          response_json: JSON.stringify({
            flow_token: 't',
            city: 'Almaty',
            sizes: ['S', 'M'],
            ok: true,
            more: { a: 1 },
          }),
        },
      },
    },
    ...{ type: 'interactive', text: 'Sent' },
    content: {
      type: 'form',
      name: 'flow',
      response: { city: 'Almaty', sizes: ['S', 'M'], ok: true, more: { a: 1 } },
    },
    line: {
      en: 'Form: city: Almaty, sizes: S, M, ok: true, more: {"a":1}',
      ru: 'Форма: city: Almaty, sizes: S, M, ok: true, more: {"a":1}',
    },
    told: ['city: Almaty', 'sizes: S, M', 'ok: true', 'more: {"a":1}'],
  },
  {
    kind: 'a form that cannot be read',
    cloud: {
      type: 'interactive',
      interactive: { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '[1' } },
    },
    ...{ type: 'interactive', text: 'Sent' },
    content: { type: 'form', name: 'flow', response: null },
    line: { en: 'Form: Sent', ru: 'Форма: Sent' },
    told: ['Sent'],
  },
  {
    kind: 'a reaction',
    cloud: { type: 'reaction', reaction: { message_id: OURS, emoji: '👍' } },
    gupshup: { type: 'reaction', payload: { emoji: '👍', id: OURS } },
    ...{ type: 'reaction', text: '👍' },
    content: { type: 'reaction', emoji: '👍', message_id: OURS },
    line: { en: 'Reaction: 👍', ru: 'Реакция: 👍' },
    told: ['👍'],
  },
  {
    kind: 'a reaction that is taken back',
    cloud: { type: 'reaction', reaction: { message_id: OURS, emoji: '' } },
    gupshup: { type: 'reaction', payload: { emoji: '', id: OURS } },
    ...{ type: 'reaction', text: '' },
    content: { type: 'reaction', emoji: null, message_id: OURS },
    line: { en: 'Reaction taken back', ru: 'Реакция снята' },
    told: [],
  },
  {
    kind: 'what the messenger does not pass on',
    cloud: {
      type: 'unsupported',
      errors: [
        {
          ...{ code: 131051, title: 'Message type unknown', message: 'Message type unknown' },
          error_data: { details: 'Message type is currently not supported.' },
        },
      ],
    },
    ...{ type: 'unsupported', text: '' },
    content: {
      ...{ type: 'unsupported', code: 131051, title: 'Message type unknown' },
      details: 'Message type is currently not supported.',
    },
    line: {
      en: 'Message that cannot be shown: Message type is currently not supported.',
      ru: 'Сообщение, которое нельзя показать: Message type is currently not supported.',
    },
    told: [],
  },
  {
    kind: 'what nobody knows yet',
    cloud: { type: 'poll', poll: { name: 'Tea or coffee?' } },
    gupshup: { type: 'poll', payload: { name: 'Tea or coffee?' } },
    ...{ type: 'unsupported', text: '' },
    content: { type: 'unsupported', code: null, title: 'poll', details: null },
    line: { en: 'Message that cannot be shown: poll', ru: 'Сообщение, которое нельзя показать: poll' },
    told: [],
  },
];
