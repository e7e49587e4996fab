import { BodyItems, groupsOf } from './item-groups';
import type { ContactAddress, ProviderEvent, WebhookItem } from './provider-events';

const BODY = { entry: [{ changes: [{ value: { messages: [{ id: 'a' }, { id: 'b', text: 'СТОП' }] } }] }] };

const textOf = (body: string, path: string): string => new BodyItems(Buffer.from(body)).textOf(path);

it('finds an item by its path', () => {
  const text = textOf(JSON.stringify(BODY), 'entry[0].changes[0].value.messages[1]');
  expect(JSON.parse(text)).toEqual({ id: 'b', text: 'СТОП' });
});

it.each(['', 'entry[7]', 'entry[0].changes[0].value.messages[1].id.x', '__proto__', 'entry.length.x'])(
  'gives the whole body where it has nothing at %j',
  (path) => {
    expect(JSON.parse(textOf(JSON.stringify(BODY), path))).toEqual(BODY);
  },
);

it.each(['', 'no JSON', '['.repeat(100_000), `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`])(
  'gives a body as it came that cannot be written again',
  (body) => {
    expect(textOf(body, 'a')).toBe(body);
  },
);

const customer = (phone: string | null, userId: string | null = null): ContactAddress => ({
  phone,
  userId,
  waId: null,
  name: null,
});

const message = (path: string, from: ContactAddress): WebhookItem => {
  const body = { type: 'text', text: '', content: {}, words: [] };
  return { path, event: { kind: 'message', number: '1', from, messageId: path, sentAt: null, body } };
};

const state = (path: string, providerId: string): WebhookItem => {
  const event: ProviderEvent = {
    ...{ kind: 'state', number: '1', state: 'sent', providerId, whatsappId: null, reference: null, at: null },
    ...{ error: null, optedOut: false, recipient: null },
  };
  return { path, event };
};

const pathsOf = (items: readonly WebhookItem[]): string[][] =>
  groupsOf(items).map((group) => group.map(({ path }) => path));

it('keeps the items of one customer in their order, among those of others', () => {
  const items = [
    message('a1', customer('+7701')),
    message('b1', customer('+7702')),
    message('a2', customer('+7701')),
    message('c1', customer(null, 'KZ.1')),
    message('b2', customer('+7702')),
    message('c2', customer(null, 'KZ.1')),
  ];
  expect(pathsOf(items)).toEqual([
    ['a1', 'a2'],
    ['b1', 'b2'],
    ['c1', 'c2'],
  ]);
});

it('recognises a customer by phone, by user id and by both as one, wherever both are given', () => {
  const items = [
    message('1', customer(null, 'KZ.1')),
    message('2', customer('+7701')),
    message('3', customer('+7701', 'KZ.1')),
  ];
  expect(pathsOf(items)).toEqual([['1', '2', '3']]);
});

it('keeps what a new number or user id is told of in order with what comes by the former and by the new one', () => {
  const change = (
    path: string,
    from: ContactAddress,
    userId: string | null,
    phone: string | null,
  ): WebhookItem => {
    const to = { phone, userId, waId: null };
    return { path, event: { kind: 'address', number: '1', from, to, messageId: path } };
  };
  const items = [
    message('1', customer(null, 'KZ.1')),
    change('2', customer(null, 'KZ.1'), 'KZ.2', null),
    message('other', customer('+7709', 'KZ.9')),
    message('3', customer(null, 'KZ.2')),
    change('4', customer(null, 'KZ.2'), 'KZ.3', null),
    change('5', customer(null, 'KZ.3'), null, '+7702'),
    message('6', customer('+7702')),
  ];
  expect(pathsOf(items)).toEqual([['1', '2', '3', '4', '5', '6'], ['other']]);
});

it('of very many items takes no longer than of each', () => {
  const items = Array.from({ length: 20_000 }, (_, n) =>
    message(String(n), customer(`+7${n + 1}`, `KZ.${n}`)),
  ).flatMap((item, n) => [item, message(`b${n}`, customer(`+7${n}`, `KZ.${n}`))]);
  expect(groupsOf(items)).toHaveLength(1);
  expect(groupsOf(items.toReversed())).toHaveLength(1);
});

it('keeps the states of one message in their order, among those of others', () => {
  const items = [state('a1', 'wamid.A'), state('b1', 'wamid.B'), state('a2', 'wamid.A')];
  expect(pathsOf(items)).toEqual([['a1', 'a2'], ['b1']]);
});

it('passes over what is of no interest, not over what cannot be understood', () => {
  const items: WebhookItem[] = [
    { path: '1', ignored: 'a field' },
    { path: '2', reason: 'no id', raw: '{}' },
  ];
  expect(pathsOf(items)).toEqual([['2']]);
});
