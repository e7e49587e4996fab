import { MAGIC_WORDS, type MagicWordName } from '@app/contracts/magic-numbers';
import { record, text } from '../http/json.answer';
import { lastWords, toldByTools, type ChatRequest } from './chat.request';
import type { WrittenCall, ModelAct, ModelReply } from './reply-script';
import { BUYS, FURTHER_DEEDS, type Deed } from './shop-deeds';
import { ANYTHING, COULD_NOT, FOUND_OUT, HANDED_OVER, TOPICS, say, shorten, languageOf } from './shop-topics';

/** A reply of the shop's assistant. */
interface Speech {
  text: string;
  calls?: readonly WrittenCall[];
}

const RESULT_MAX = 300;
const FAILED = /"ok"\s*:\s*false|error|refus|reject|not allowed|cannot|locked|fail|ошибк|нельзя|отказ/i;

const WANTS_A_HUMAN =
  /оператор|менеджер|живо\S+\s+человек|с\s+человеком|operator|human|real\s+person|адаммен/i;

/** A line of the instructions: a stage's id, and its name before what is said of it. */
const STAGE_LINE = /^- ([\w-]+): ([^\n(]*)/gm;
const STANDS_AT = /^The lead stands at ([\w-]+)\.$/m;

/** The replies of the demo's shop assistant. The same conversation always gets the same reply. */
export function replyAsShop(request: ChatRequest): Speech {
  const words = lastWords(request);
  const told = toldByTools(request).at(-1);
  if (told !== undefined) return { text: answerTold(request, words, told) };
  const calls = callsFor(request, words);
  if (calls.length > 0) return { text: '', calls };
  const topic = [...FURTHER_DEEDS, ...TOPICS].find(({ about }) => about.test(words));
  return { text: say(topic?.say ?? ANYTHING, words) };
}

/** What the customer reads after a tool was called. */
function answerTold(request: ChatRequest, words: string, told: string): string {
  if (WANTS_A_HUMAN.test(words) && !BUYS.about.test(words)) return say(HANDED_OVER, words);
  if (FAILED.test(told)) return say(COULD_NOT, words);
  const deed = deedOf(words);
  return deed ? say(deed.say, words) : sayFound(request);
}

/** The last tool's result, even a refusal, in one line: the first 300 characters. */
function sayFound(request: ChatRequest): string {
  return say(FOUND_OUT, lastWords(request), shorten(toldByTools(request).at(-1) ?? '', RESULT_MAX));
}

const deedOf = (words: string): Deed | undefined =>
  [BUYS, ...FURTHER_DEEDS].find(({ about }) => about.test(words));

function callsFor(request: ChatRequest, words: string): WrittenCall[] {
  const offers = (name: string): boolean => request.tools.some((tool) => tool.name === name);
  if (WANTS_A_HUMAN.test(words) && offers('hand_over') && !(BUYS.about.test(words) && offers('move_lead')))
    return [
      {
        name: 'hand_over',
        arguments: JSON.stringify({ reason: `The customer asks for a person: ${words}` }),
      },
    ];
  const deed = deedOf(words);
  const statusId = deed && offers('move_lead') ? targetOf(request, deed) : null;
  return statusId === null ? [] : [{ name: 'move_lead', arguments: JSON.stringify({ status_id: statusId }) }];
}

/** Where the deed moves the lead; null: nowhere. */
function targetOf(request: ChatRequest, deed: Deed): string | null {
  if (deed === BUYS) return stageOf(request);
  const instructions = request.messages.find(({ role }) => role === 'system')?.text ?? '';
  const named = [...instructions.matchAll(STAGE_LINE)].find(
    ([, , name = '']) => deed.to instanceof RegExp && deed.to.test(name),
  )?.[1];
  const target = typeof deed.to === 'number' ? stageOf(request, deed.to) : named;
  const isThere = STANDS_AT.exec(instructions)?.[1] === target;
  return target && !isThere && offeredStages(request).includes(target) ? target : null;
}

/** The stage for `move_lead`: the second one, or the nth for a model that keeps moving. */
function stageOf(request: ChatRequest, nth = 1): string {
  const ids = offeredStages(request);
  return ids[Math.min(nth, ids.length - 1)] ?? '';
}

function offeredStages({ tools }: ChatRequest): string[] {
  const schema = tools.find(({ name }) => name === 'move_lead')?.parameters;
  const values = record(record(schema?.properties)?.status_id)?.enum;
  return Array.isArray(values) ? values.filter((id) => text(id) !== null).map(String) : [];
}

const LONG = 5_000;
const PARTS_MAX = 20;
const SLOW_MS = 2_000;
const SLOW_MS_MAX = 600_000;

/** A word and the number after it. */
interface Found {
  word: MagicWordName;
  number: number | null;
}

const NAMES = MAGIC_WORDS.map(({ word }) => word.slice(1)).join('|');
const WORD = new RegExp(`(?<![\\p{L}\\d_])#(${NAMES})(?![\\p{L}\\d_])(?:\\s+(\\d{1,9}))?`, 'giu');
const TOOL = /#tool\s+([\w-]{1,64})\s*(\{[^]*\})?/i;

/** The unscripted reply: what the magic words of the customer's last message ask for, else the shop's reply. */
export function replyTo(request: ChatRequest): ModelReply {
  const found = findWords(lastWords(request));
  const slow = found.find(({ word }) => word === '#slow');
  const [ruling] = found.filter(({ word }) => word !== '#slow');
  const act = (ruling && actOf(ruling, request)) ?? { kind: 'say', ...replyAsShop(request) };
  return slow ? { act, delayMs: Math.min(slow.number ?? SLOW_MS, SLOW_MS_MAX) } : { act };
}

/** Null: the model has done what the word asks for, and now answers as usual. */
function actOf({ word, number }: Found, request: ChatRequest): ModelAct | null {
  const words = lastWords(request);
  const isTold = toldByTools(request).length > 0;
  const callOnce = (call: WrittenCall): ModelAct | null =>
    isTold ? null : { kind: 'say', text: '', calls: [call] };
  switch (word) {
    case '#hang':
      return { kind: 'hang' };
    case '#drip':
      return { kind: 'drip', text: replyAsShop(request).text || sentenceOf(words, 1) };
    case '#endless':
      return { kind: 'endless', text: `${sentenceOf(words, 1)} ` };
    case '#garbage':
      return { kind: 'garbage' };
    case '#error':
      return { kind: 'refuse', httpStatus: 500 };
    case '#busy':
      return { kind: 'refuse', httpStatus: 429, retryAfterSeconds: 1 };
    case '#long':
      return { kind: 'say', text: longText(words) };
    case '#parts': {
      const count = Math.min(Math.max(number ?? 3, 1), PARTS_MAX);
      const parts = Array.from({ length: count }, (_, index) => sentenceOf(words, index + 1));
      return { kind: 'say', text: parts.join('\n\n') };
    }
    case '#badtool':
      return callOnce({ name: 'move_lead', arguments: '{"status_id": "' });
    case '#unknowntool':
      return callOnce({ name: 'launch_rocket', arguments: '{"target": "the moon"}' });
    case '#tool': {
      const [, name = 'move_lead', given = '{}'] = TOOL.exec(words) ?? [];
      return callOnce({ name, arguments: given }) ?? { kind: 'say', text: sayFound(request) };
    }
    case '#loop': {
      const told = toldByTools(request).length;
      const status = stageOf(request, told % 2);
      return {
        kind: 'say',
        text: '',
        calls: [{ name: 'move_lead', arguments: JSON.stringify({ status_id: status }) }],
      };
    }
    case '#slow':
      return null;
  }
}

function findWords(words: string): Found[] {
  return [...words.matchAll(WORD)].flatMap(([, name = '', digits]) => {
    const known = MAGIC_WORDS.find(({ word }) => word === `#${name.toLowerCase()}`);
    return known ? [{ word: known.word, number: digits === undefined ? null : Number(digits) }] : [];
  });
}

const sentenceOf = (words: string, n: number): string =>
  languageOf(words.replace(TOOL, '')) !== 'en'
    ? `Это сообщение номер ${n}, как вы просили: достаточно длинное, чтобы прийти отдельно.`
    : `This is message number ${n}, as you asked: long enough to come as a message of its own.`;

/** Whole sentences as far as they fit, filled up to exactly that many characters. */
function longText(words: string): string {
  let whole = '';
  for (let n = 1; whole.length < LONG; n += 1) whole += `${whole && ' '}${sentenceOf(words, n)}`;
  return `${whole.slice(0, LONG - 1).trimEnd()}`.padEnd(LONG, '.');
}
