import { refusalOf, refusedAt, taken } from '../../../../../test/support/clients/refused.fields';
import { ChangeAccountRequest, CreateAccountRequest } from '../../accounts/account.request';
import { ChangeUserRequest, CreateUserRequest } from '../../accounts/user.request';
import { ConfirmBody, SignInBody } from '../../auth/auth.request';
import { ChangeApiKeyRequest, IssueApiKeyRequest, RotateApiKeyRequest } from '../../accounts/api-key.request';
import { SetAiRequest } from '../../ai-switch/ai-switch.controller';
import { ConnectChannelRequest } from '../../bots/bot.request';
import {
  AssignRequest,
  GetHistoryRequest,
  GetLeadRequest,
  GetStatusesRequest,
  SetStatusBulkRequest,
  SetStatusRequestBody,
} from '../../leads/lead.request';
import type { DtoClass } from './dto-pipe';

const WRONG_TEXTS = ['', 0, 5, true, [], {}, ['x'], { id: 'x' }];
const INHERITED = ['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'then'];

/** What a field of a request may not be; its other fields are those of `base`. Undefined: it may not be absent. */
type Wrong = [of: string, classes: DtoClass[], base: object, fields: Record<string, unknown[]>];

const MOVE = { thread_id: 'x', status_id: null };

it.each<Wrong>([
  [
    'an operation on a lead',
    [GetLeadRequest, GetHistoryRequest, SetStatusRequestBody, SetAiRequest],
    { ...MOVE, ai_enabled: false },
    { thread_id: [undefined, null, ...WRONG_TEXTS] },
  ],
  ['assign', [AssignRequest], { thread_id: 'x', user_id: null }, { user_id: [undefined, '', 5, []] }],
  ['get-statuses', [GetStatusesRequest], {}, { assistant_id: [null, ...WRONG_TEXTS] }],
  [
    'set-status',
    [SetStatusRequestBody],
    MOVE,
    {
      status_id: [undefined, ...WRONG_TEXTS],
      expected_status_id: WRONG_TEXTS,
      answer_pending_message: [null, 'false', 'true', '', 0, 1, [true], {}],
      skip_scenarios: [null, 'true', 1, {}],
    },
  ],
  [
    'set-status by a name',
    [SetStatusRequestBody],
    { thread_id: 'x' },
    { status_name: [null, ...WRONG_TEXTS] },
  ],
  [
    'set-ai',
    [SetAiRequest],
    { thread_id: 'x' },
    { ai_enabled: [undefined, null, 'false', 'true', '', 0, 1, [false], {}] },
  ],
  [
    'set-status-bulk',
    [SetStatusBulkRequest],
    { items: [MOVE] },
    {
      items: [undefined, null, [], {}, 'x', 7, Array(501).fill(MOVE)],
      dry_run: [null, 'false', 0, []],
      start_scenarios: [null, 'true', 1, {}],
    },
  ],
  [
    'a list',
    [GetHistoryRequest],
    { thread_id: 'x' },
    { limit: [null, '5', 0, -1, 201, 1.5, true, [5], 1e300], cursor: [null, '', 5, [], {}] },
  ],
  [
    'an account',
    [CreateAccountRequest, ChangeAccountRequest],
    { name: 'x' },
    {
      name: [null, '', ' \t\u00a0', 7, 'x'.repeat(201)],
      monthly_message_quota: [-1, '5', 1.5, 2_147_483_648, true],
    },
  ],
  [
    'what an account has set up',
    [ChangeAccountRequest],
    {},
    {
      retention_days: [0, 1.5, '30', 36_501],
      default_country: ['kz', 'XX', 'KAZ', 'Kazakhstan', '', 7, ['KZ']],
      assign_on_reply: ['true', 0, null],
      takeover_end: ['asks', '', null],
      transcription: ['true', 1, null],
      timezone: ['Almaty', '+05:00', '', null, 5],
      opening_hours: ['09:00-18:00', 9, false, []],
      opt_out_words: [null, 'no', ['\u200B'], ['x'.repeat(61)], new Array(51).fill('no')],
      opt_in_words: [null, 'no', ['\u200B'], ['x'.repeat(61)], new Array(51).fill('no')],
    },
  ],
  [
    'a person',
    [CreateUserRequest, ChangeUserRequest],
    { email: 'dana@example.com', name: 'Dana', role: 'operator' },
    {
      name: [null, '', 'Dana\nK', 'Dana\u202EK', 'x'.repeat(201)],
      email: [null, '', 'dana', 'a@b@example.com', '<a@example.com>'],
      role: [null, 'owner'],
    },
  ],
  [
    'what somebody signs in with',
    [SignInBody],
    { email: 'dana@example.com', password: 'seven quiet rivers' },
    {
      email: [undefined, '', 'x'.repeat(400)],
      password: [undefined, '', 'x'.repeat(1_000)],
      code: ['', '1'.repeat(100)],
    },
  ],
  ['a password given again', [ConfirmBody], {}, { password: [undefined, '', 'x'.repeat(1_000)] }],
  ['a new account', [CreateAccountRequest], {}, { name: [undefined] }],
  [
    'a key',
    [IssueApiKeyRequest, ChangeApiKeyRequest],
    { name: 'x', scopes: ['leads'] },
    {
      name: [null, ''],
      scopes: [null, [], 'leads', ['leads', 'everything'], [null], ['leads', 'leads'], ['admin', 'admin']],
      bot_ids: [null, 'x'],
      assistant_ids: [[''], [[]]],
      limit_leads: [0, -1, '60', 1_000_001],
      limit_general: [1.5, 1_000_001],
      expires_at: ['', 'tomorrow', '2199-01-01', '2199-13-01T00:00:00Z', '2199-02-30T00:00:00Z', 4102444800],
    },
  ],
  [
    'a new key',
    [IssueApiKeyRequest],
    { name: 'x', scopes: ['leads'] },
    { name: [undefined], scopes: [undefined], account_id: [null, ''] },
  ],
  ['a rotation', [RotateApiKeyRequest], {}, { overlap_hours: [-1, 721, 1.5, '24', null, true] }],
  [
    'a number',
    [ConnectChannelRequest],
    { sender: 'x', settings: {} },
    {
      sender: [undefined, 106540352242922, ''],
      settings: [undefined, [], null],
      credential: ['', null, 'two words', 'line\r\nX-Other: 1', 'x'.repeat(4_097)],
      messages_per_second: [0, null, '20', 10_001],
    },
  ],
])('%s: nothing is coerced, and each wrong field is named', (_, classes, base, fields) => {
  for (const dtoClass of classes)
    for (const [field, wrongs] of Object.entries(fields))
      for (const wrong of wrongs)
        expect([dtoClass.name, wrong, refusedAt(dtoClass, { ...base, [field]: wrong })]).toEqual([
          dtoClass.name,
          wrong,
          [field],
        ]);
});

it.each<[DtoClass, object]>([
  [SetStatusRequestBody, MOVE],
  [SetStatusRequestBody, { ...MOVE, expected_status_id: null, answer_pending_message: true }],
  [SetStatusBulkRequest, { items: Array(500).fill(MOVE) }],
  [GetHistoryRequest, { thread_id: 'x', limit: 200, cursor: 'x' }],
  [CreateAccountRequest, { name: 'Кофе ☕', monthly_message_quota: null }],
  ...['KZ', 'AQ', null].map((country): [DtoClass, object] => [
    ChangeAccountRequest,
    { default_country: country },
  ]),
  [ChangeAccountRequest, { opt_out_words: ['хватит', 'no more', '❌'], opt_in_words: ['go on'] }],
  [
    IssueApiKeyRequest,
    {
      name: 'x',
      scopes: ['leads', 'messages'],
      limit_leads: 1_000_000,
      expires_at: '2199-01-31T12:00:00+05:00',
    },
  ],
  [IssueApiKeyRequest, { name: 'x', scopes: ['leads'], expires_at: null }],
  [ChangeApiKeyRequest, { limit_leads: null, expires_at: null }],
  [RotateApiKeyRequest, { overlap_hours: 0 }],
])('%p is taken as it came: %j', (dtoClass, body) => {
  expect(JSON.parse(JSON.stringify(taken(dtoClass, body)))).toEqual(body);
});

it('a target is given exactly once: an absent one clears nothing', () => {
  expect(refusedAt(SetStatusRequestBody, { thread_id: 'x' })).toEqual(['status_id']);
  expect(refusedAt(SetStatusRequestBody, { ...MOVE, status_name: 'x' })).toEqual(['status_id']);
});

it('a violation of an item has its path, and an item that is no object is one', () => {
  const items = [MOVE, { thread_id: '' }, 7, { ...MOVE, status_name: 'x' }, null, []];
  expect(refusedAt(SetStatusBulkRequest, { items })).toEqual([
    ...['items[1].thread_id', 'items[2]', 'items[3].status_id', 'items[4]', 'items[5]'],
  ]);
});

it('what is wrong within opening hours has its path', () => {
  const opening_hours = { spans: [{ weekdays: [1], from: '9', to: '18:00' }], closed: ['x'] };
  for (const dtoClass of [CreateAccountRequest, ChangeAccountRequest])
    expect(refusedAt(dtoClass, { name: 'x', opening_hours })).toEqual([
      ...['opening_hours.spans[0].from', 'opening_hours.closed[0]'],
    ]);
});

it('the search stops at a hundred violations', () => {
  expect(refusedAt(SetStatusBulkRequest, { items: Array(500).fill(7) })).toHaveLength(100);
});

it.each([null, [], 'x', 7])('a request that is %j is no object', (body) => {
  expect(refusedAt(GetLeadRequest, body)).toEqual(['']);
});

it.each(INHERITED)('an unknown field named %s is left out, and takes nothing from the rules', (name) => {
  for (const value of ['null', '1', '{}', '{"status_id":null}', '{"prototype":{}}', '{"name":"Object"}']) {
    const body = JSON.parse(`{"thread_id":"x","${name}":${value},"unknown":[1]}`) as object;
    expect(refusedAt(SetStatusRequestBody, body)).toEqual(['status_id']);
    expect(refusedAt(SetStatusBulkRequest, { items: [body] })).toEqual(['items[0].status_id']);
    expect(Object.entries(taken(GetLeadRequest, body))).toEqual([['thread_id', 'x']]);
  }
});

it('what is too long or empty is told so', () => {
  const told = (body: object): string[] =>
    refusalOf(SignInBody, body)?.details.map(({ message }) => message) ?? [];
  for (const message of told({ email: 'x'.repeat(400), password: 'x'.repeat(1_000), code: '1'.repeat(100) }))
    expect(message).toMatch(/at most \d+ characters/);
  expect(told({ email: '', password: '' })).toEqual(Array(2).fill(expect.stringContaining('non-empty')));
});
