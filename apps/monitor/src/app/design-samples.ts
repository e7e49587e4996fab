import type { ListedMessage } from '@app/client/message.store';
import type { CardView } from '@app/client/board/board-views';
import type { Card } from '@app/contracts/board-events';
import { MESSAGE_STATUSES } from '@app/contracts/message.words';
import { serverNow } from '../shared/format/server-clock';

const MINUTE = 60_000;

const ago = (minutes: number): string => new Date(serverNow() - minutes * MINUTE).toISOString();

const CARD: Card = {
  thread_id: 'thread_01930000-0000-7000-8005-000000000001',
  assistant_id: '01930000-0000-7000-8002-000000000001',
  bot_id: '01930000-0000-7000-8003-000000000001',
  channel: 'WABA',
  phone: '+77015551001',
  customer: {
    phone: '+77015551001',
    wa_id: '77015551001',
    user_id: null,
    username: null,
    phone_proven: false,
  },
  same_customer: [],
  conducted_elsewhere: false,
  customer_name: 'Айгерим',
  message_handler: 'AI',
  ai_enabled: true,
  opted_out: false,
  takeover_until: null,
  waiting: false,
  waiting_since: null,
  waiting_reason: null,
  window_until: ago(-600),
  lead_status: null,
  status_set_at: ago(90),
  status_cleared_at: null,
  status_set_by: 'AI',
  last_message: { role: 'AI', text: 'Доставим сегодня до шести.', created_at: ago(5) },
  unread_count: 0,
  attention: null,
  assignee: null,
  erased_at: null,
  created_at: ago(3_000),
  updated_at: ago(5),
  version: 1,
};

const said = (text: string): Card['last_message'] => ({ role: 'USER', text, created_at: ago(3) });
const LONG = 'Здравствуйте! Хочу узнать о доставке, оплате, возврате и обо всём остальном. '.repeat(6);

/** A card in each of its states, with names in several scripts. */
export const CARD_SAMPLES: { name: string; view: CardView }[] = (
  [
    ['AI', {}],
    [
      'waiting, unread',
      { waiting: true, waiting_since: ago(12), unread_count: 3, last_message: said('Есть доставка?') },
    ],
    [
      'operator',
      { message_handler: 'OPERATOR', takeover_until: ago(-14), assignee: { id: '1', name: 'Алия' } },
    ],
    ['AI off', { message_handler: 'OPERATOR', ai_enabled: false }],
    ['unsubscribed', { opted_out: true, last_message: said('STOP') }],
    [
      'attention',
      {
        attention: { reason: 'hand_over', note: 'Просит скидку', provider_code: null, since: ago(2) },
        customer_name: 'महेश कुमार',
      },
    ],
    [
      'right to left',
      { customer_name: 'عبد الرحمن بن محمد', last_message: said('هل لديكم توصيل إلى المنزل؟') },
    ],
    [
      'long words',
      { customer_name: 'Константин-Александр Преображенский-Задунайский', last_message: said(LONG) },
    ],
    ['no name', { customer_name: null, last_message: null }],
    ['erased', { customer_name: null, phone: null, erased_at: ago(1), last_message: null }],
  ] as [string, Partial<Card>][]
).map(([name, fields]) => ({
  name,
  view: { card: { ...CARD, ...fields }, pending: false, movedBy: null, present: [] },
}));

const MESSAGE: ListedMessage = {
  id: '01930000-0000-7000-8006-000000000001',
  message_id: null,
  role: 'OPERATOR',
  type: 'text',
  text: 'Ваш заказ готов. Когда вам удобно его получить?',
  status: 'sent',
  error: null,
  created_at: ago(8),
  sent_at: ago(8),
  ...{
    media: null,
    content: null,
    quoted: null,
    referral: null,
    pricing: null,
    author: null,
    edited_at: null,
    deleted_at: null,
  },
};

const FAILED: ListedMessage['error'] = {
  code: 'PROVIDER_ERROR',
  message: 'Message undeliverable',
  provider_code: 131026,
};

/** A message in each of its states, and of each who writes. */
export const MESSAGE_SAMPLES: ListedMessage[] = [
  { ...MESSAGE, id: 'customer', role: 'USER', status: 'received', text: 'Сәлем! Есть доставка в Шымкент?' },
  { ...MESSAGE, id: 'arabic', role: 'USER', status: 'received', text: 'هل لديكم توصيل؟ https://example.com' },
  { ...MESSAGE, id: 'agent', role: 'AI', status: 'read', text: 'Да, два–три дня.' },
  {
    ...{ ...MESSAGE, id: 'quoting', role: 'USER', status: 'received', text: 'Точно?' },
    quoted: { id: 'agent', role: 'AI', text: 'Да, два–три дня.' },
  },
  { ...MESSAGE, id: 'note', type: 'note', status: 'received', text: 'Постоянный клиент, дать скидку 5 %.' },
  ...MESSAGE_STATUSES.filter((status) => status !== 'received').map((status) => ({
    ...MESSAGE,
    ...{ id: status, status, error: status === 'failed' ? FAILED : null },
  })),
];
