import { refusalOf } from '../../../../test/support/clients/refused.fields';
import type { DtoClass } from '../http/dto/dto-pipe';
import { BoardCloseRequest, BoardMoreRequest, BoardOpenRequest, PresenceSetRequest } from './board.request';

/** As a client is told what is wrong with a request; an empty text where nothing is. */
const faultOf = (request: DtoClass, body: unknown): string => refusalOf(request, body)?.message ?? '';

const NO_OBJECT = 'the request must be an object';
const NO_TEXT = 'assistant_id: must be a non-empty string';
const NO_SEQ = 'since: must be the seq of an earlier answer or event';

it.each([
  ['nothing', undefined, NO_OBJECT],
  ['null', null, NO_OBJECT],
  ['a text', 'x', NO_OBJECT],
  ['a list', [1], NO_OBJECT],
  ['no agent', {}, 'assistant_id: is required'],
  ['an empty agent', { assistant_id: '' }, NO_TEXT],
  ['a number for the agent', { assistant_id: 7 }, NO_TEXT],
  ['since as text', { assistant_id: 'x', since: '5' }, NO_SEQ],
  ['since below zero', { assistant_id: 'x', since: -1 }, NO_SEQ],
  ['since as null', { assistant_id: 'x', since: null }, NO_SEQ],
  ['since between numbers', { assistant_id: 'x', since: 1.5 }, NO_SEQ],
  ['since past what is exact', { assistant_id: 'x', since: 2 ** 53 }, NO_SEQ],
  ['several faults', { assistant_id: 7, since: -1 }, `${NO_TEXT}; ${NO_SEQ}`],
])('board:open refuses %s', (_, body, message) => {
  expect(faultOf(BoardOpenRequest, body)).toBe(message);
});

it.each([0, 101, 1.5, '5', null])('board:open refuses %j cards of a column', (limit) => {
  expect(faultOf(BoardOpenRequest, { assistant_id: 'x', limit })).toMatch(/^limit: /);
});

it.each([null, 'waiting', [{ waiting: true }], 7])('a filter that is %j is refused', (filter) => {
  const view = { assistant_id: 'x', filter };
  expect(faultOf(BoardOpenRequest, view)).toMatch(/^filter: /);
  expect(faultOf(BoardMoreRequest, { ...view, status_id: null, cursor: 'x' })).toMatch(/^filter: /);
});

it('board:more and board:close refuse what they cannot do without', () => {
  expect(faultOf(BoardMoreRequest, { assistant_id: 'x', cursor: 'x' })).toBe('status_id: is required');
  expect(faultOf(BoardMoreRequest, { assistant_id: 'x', status_id: null })).toBe('cursor: is required');
  expect(faultOf(BoardCloseRequest, {})).toBe('assistant_id: is required');
});

it.each([{}, { thread_id: 5 }, { thread_id: '' }, { thread_id: null, typing: 'yes' }])(
  'presence:set refuses %j',
  (body) => {
    expect(faultOf(PresenceSetRequest, body)).not.toBe('');
  },
);
