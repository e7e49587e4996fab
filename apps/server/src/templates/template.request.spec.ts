import { CHANNELS } from '@app/contracts/message.words';
import { ValidationError } from '@app/contracts/coded.errors';
import { textOrNull, wordOrNull } from '../http/routes/page.query';
import type { DtoClass } from '../http/dto/dto-pipe';
import { refusedAt } from '../../../../test/support/clients/refused.fields';
import { ChangeTemplateRequest } from './template-change.request';
import { CreateTemplateRequest, GetTemplatesRequest } from './template.request';

const BOT_ID = '01930000-0000-7000-8000-0000000000ff';
const DRAFT = { bot_id: BOT_ID, channel: 'waba', name: 'visit', category: 'utility', body: 'Hello' };

const reply = { type: 'quick_reply', text: 'x' };

/** What either operation refuses at the same places. */
const OF_CONTENT: [string, object, string[]][] = [
  ['another category', { category: 'UTILITY' }, ['category']],
  ['a header without a format', { header: { text: 'x' } }, ['header.format']],
  ['a header without its text', { header: { format: 'text' } }, ['header.text']],
  [
    'samples that are none',
    { examples: { header: 1, body: ['x', ''] } },
    ['examples.header', 'examples.body'],
  ],
  ['a sample file that is none', { examples: { media_id: '' } }, ['examples.media_id']],
  [
    'buttons that are none',
    {
      buttons: [
        { type: 'x', text: 'x' },
        5,
        { type: 'url', text: 'x' },
        { type: 'phone_number', text: 'x' },
        {},
      ],
    },
    ['buttons[0].type', 'buttons[1]', 'buttons[2].url', 'buttons[3].phone_number', 'buttons[4].type'],
  ],
  ['a reply without a label', { buttons: [{ type: 'quick_reply' }] }, ['buttons[0].text']],
  [
    'an unknown button of a code',
    { buttons: [{ type: 'otp', otp_type: 'COPY_CODE' }] },
    ['buttons[0].otp_type'],
  ],
  ['eleven buttons', { buttons: Array.from({ length: 11 }, () => reply) }, ['buttons']],
  ['91 minutes', { code_expiration_minutes: 91 }, ['code_expiration_minutes']],
  ['half a minute', { code_expiration_minutes: 0.5 }, ['code_expiration_minutes']],
  ['advice that is none', { add_security_recommendation: 'yes' }, ['add_security_recommendation']],
];

it.each(OF_CONTENT)('neither a draft nor a change may have %s', (_, change, paths) => {
  expect(refusedAt(CreateTemplateRequest, { ...DRAFT, ...change })).toEqual(paths);
  expect(refusedAt(ChangeTemplateRequest, change)).toEqual(paths);
});

it.each<[string, object, string[]]>([
  [
    'nothing',
    { bot_id: undefined, channel: undefined, name: undefined, category: undefined, body: undefined },
    ['bot_id', 'channel', 'name', 'category', 'body'],
  ],
  ['a bot id that is none', { bot_id: 'malformed' }, ['bot_id']],
  ['another channel', { channel: 'telegram' }, ['channel']],
  ['another format', { parameter_format: 'numbers' }, ['parameter_format']],
  [
    'null for what may be absent',
    { template_id: null, language: null, footer: null, header: null, buttons: null, examples: null },
    ['template_id', 'language', 'header', 'footer', 'buttons', 'examples'],
  ],
])('a draft is not made of %s', (_, change, paths) => {
  expect(refusedAt(CreateTemplateRequest, { ...DRAFT, ...change })).toEqual(paths);
});

it('a draft needs a body, but for one that authenticates', () => {
  const { body: _, ...rest } = DRAFT;
  expect(refusedAt(CreateTemplateRequest, DRAFT)).toEqual([]);
  expect(refusedAt(CreateTemplateRequest, { ...rest, category: 'authentication' })).toEqual([]);
});

it('a change takes null for what a template may lack, and for nothing else', () => {
  const lacking = { header: null, footer: null, code_expiration_minutes: null };
  expect(refusedAt(ChangeTemplateRequest, lacking)).toEqual([]);
  const needed = ['category', 'body', 'buttons', 'examples'];
  const nulls = Object.fromEntries(needed.map((field) => [field, null]));
  expect(refusedAt(ChangeTemplateRequest, nulls)).toEqual(needed);
});

it.each<[DtoClass, object, string[]]>([
  [GetTemplatesRequest, { bot_id: undefined, channel: undefined }, ['bot_id', 'channel']],
  [GetTemplatesRequest, { bot_id: '' }, ['bot_id']],
  [GetTemplatesRequest, { bot_id: null }, ['bot_id']],
  [GetTemplatesRequest, { channel: 'WABA' }, ['channel']],
  [GetTemplatesRequest, { status: 'x' }, ['status']],
  [GetTemplatesRequest, { status: null }, ['status']],
])('%p is refused with %j', (dtoClass, change, paths) => {
  expect(refusedAt(dtoClass, { bot_id: BOT_ID, channel: 'waba', ...change })).toEqual(paths);
});

it('a filter is given once, not empty, and one of its words', () => {
  expect([textOrNull('bot_id', undefined), textOrNull('bot_id', BOT_ID)]).toEqual([null, BOT_ID]);
  for (const value of ['', [BOT_ID, BOT_ID], { a: '1' }, 'a\0'])
    expect(() => textOrNull('bot_id', value)).toThrow(ValidationError);
  expect([wordOrNull('channel', undefined, CHANNELS), wordOrNull('channel', 'waba', CHANNELS)]).toEqual([
    null,
    'waba',
  ]);
  for (const value of ['', 'x', 'WABA', ['waba'], ['waba', 'waba']])
    expect(() => wordOrNull('channel', value, CHANNELS)).toThrow(ValidationError);
});
