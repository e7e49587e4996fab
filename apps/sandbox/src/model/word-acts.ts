import { MAGIC_WORDS, type MagicWordName } from '@app/contracts/magic-numbers';
import { lastWords, toldByTools, type ChatRequest } from './chat.request';
import type { ModelAct, ModelReply, WrittenCall } from './model-reply';
import { sayFound, replyAsShop, stageOf } from './shop-replies';
import { languageOf } from './shop.words';

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
