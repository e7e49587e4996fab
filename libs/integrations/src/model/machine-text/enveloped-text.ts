import { jsonCalls, PYTHON, type WrittenCall } from './written-calls';
import { isObject } from '@app/contracts/json-object';

/** The names under which an answer in JSON has its text. */
const TEXT_KEYS = [
  'content',
  'text',
  'message',
  'reply',
  'response',
  'answer',
  'output',
  'final_answer',
  'final',
];
const DEEPEST_ENVELOPE = 4;

/** Whether a part of an answer is none of its text: `thinking`, `redacted_thinking`, `reasoning`, `summary_text`. */
export const isThought = (part: unknown): boolean =>
  isObject(part) && typeof part.type === 'string' && /think|thought|reason|summary/i.test(part.type);

function enveloped(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value;
  if (depth > DEEPEST_ENVELOPE) return null;
  if (Array.isArray(value)) {
    const texts = value.filter((part) => !isThought(part)).map((part) => enveloped(part, depth + 1));
    return texts.length > 0 && texts.every((text) => text !== null) ? texts.join('\n\n') : null;
  }
  if (!isObject(value)) return null;
  // LangChain's last action.
  if (value.action === 'Final Answer') return enveloped(value.action_input, depth + 1);
  for (const key of TEXT_KEYS) {
    const text = key in value ? enveloped(value[key], depth + 1) : null;
    if (text !== null) return text;
  }
  return null;
}

const JSON_BEGINS = /^(?:\{\s*(?:"|\}|'\w+'\s*:|\w+\s*:\s*["'{[][\s\S]*\}$|$)|\[\s*(?:\{|$))/;
/** What people write, too, if it is no JSON. */
const QUOTED = /^(?:"[\s\S]*"|\[\s*"[\s\S]*"\s*\])$/;
/** What models write around JSON, and may leave without an end. */
const AROUND_JSON = /^(?:json\b[ \t]*:?\s*)?(?:(?:```|~~~)(?:json)?\s*)?([\s\S]*?)\s*(?:```|~~~)?$/i;

/** Strings, and what Python and JavaScript write otherwise than JSON. */
const LOOSE =
  /"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'|\b(True|False|None)\b|\b([A-Za-z_]\w{0,80})(?=\s{0,9}:)|,(?=\s{0,99}[}\]])/g;

/** Throws where it is not even nearly JSON. */
function looselyParsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const strict = text.replace(LOOSE, (each: string, single?: string, word?: string, key?: string) => {
      if (single !== undefined)
        return `"${single
          .replaceAll("\\'", "'")
          .replace(/(?<!\\)"/g, String.raw`\"`)
          .replaceAll('\n', String.raw`\n`)}"`;
      if (word !== undefined) return PYTHON[word] ?? word;
      return key === undefined ? each.replace(/^,$/, '').replaceAll('\n', String.raw`\n`) : `"${key}"`;
    });
    return JSON.parse(strict);
  }
}

/** What calls have, and other JSON hardly ever. */
export const OF_CALLS = /"(?:arguments|parameters|input|function|tool_calls)"\s*:/;

/** Those that nothing has but an answer. */
const ANSWER_KEYS = ['reply', 'response', 'answer', 'final_answer'];
const SENTENCE_OR_LINE = String.raw`(?:[.!?…:。！？]["'»”’)*]{0,3}[ \t]{0,9}|\n[ \t]{0,9}|\p{Extended_Pictographic}\ufe0f?[ \t]{0,9})`;
const BEGINS_BEHIND = new RegExp(
  `(?<=${SENTENCE_OR_LINE})(\`\`\`(?:json)?[ \\t]*\\n\\s{0,9})?\\{\\s{0,9}["']\\w{1,40}["']\\s{0,9}:`,
  'giu',
);
const SURE_TEXT = new RegExp(`^\\{\\s{0,9}["'](?:${ANSWER_KEYS.join('|')})["']\\s{0,9}:`);
/** A text in JSON that has no end. */
const CUT_TEXT = new RegExp(
  `^\\{\\s{0,9}["'](?:${TEXT_KEYS.join('|')})["']\\s{0,9}:\\s{0,9}["'](?![\\s\\S]*["']\\s{0,9}[,}])`,
);
/** Beginnings that are tried. */
const TRIED_MAX = 20;
const ANNOUNCEMENT = /(?<=^|[.!?…\n]\s*)(?!\s)[^.!?…\n]*:\s*$/;

/** Whether it is an answer, and not something that people are shown: its text is all that it has, or is called so. */
function isAnswer(value: Record<string, unknown>, isBlock: boolean): boolean {
  const keys = Object.keys(value);
  const isSure = keys.some((key) => ANSWER_KEYS.includes(key)) || value.role === 'assistant';
  return isSure || (!isBlock && keys.length === 1 && TEXT_KEYS.includes(keys[0] ?? ''));
}

/** A block up to its end, and what follows it. */
const BLOCK = /^([\s\S]*?)\n?[ \t]*```[ \t]*([\s\S]*)$/;

/**
 * The same behind words: after a sentence, a colon or a line. Amid a clause, or in a block that somebody announces and
 * tells of, it is something that people are shown. Null: only a part of it.
 */
function withoutEnvelopeBehind(text: string): { text: string; calls: WrittenCall[] } | null {
  for (const { 1: block = '', index } of [...text.matchAll(BEGINS_BEHIND)].slice(0, TRIED_MAX)) {
    const [before, rest] = [text.slice(0, index), text.slice(index + block.length)];
    const [, json = rest, after = ''] = BLOCK.exec(rest) ?? [];
    if (after !== '' && /:\s*$/.test(before)) continue;
    let value: unknown;
    try {
      value = looselyParsed(json);
    } catch {
      if (SURE_TEXT.test(json) || CUT_TEXT.test(json)) return null;
      continue;
    }
    const calls = OF_CALLS.test(json) ? jsonCalls(value) : null;
    const inner = isObject(value) && isAnswer(value, block !== '') ? enveloped(value) : null;
    if (!calls && inner === null) continue;
    const words = before.replace(ANNOUNCEMENT, '');
    const said = inner?.startsWith(words.trim()) ? inner : words + (inner ?? '');
    return { text: `${said.trim()}${after === '' ? '' : `\n\n${after}`}`, calls: calls ?? [] };
  }
  return { text, calls: [] };
}

/** The text of an answer that is JSON as a whole, or behind words. Null: JSON without a text, or only a part of it. */
export function withoutEnvelope(text: string): { text: string; calls: WrittenCall[] } | null {
  const isAnnounced = ANNOUNCED.test(text.trim());
  const whole = text.trim().replace(ANNOUNCED, '$1').replace(AROUND_JSON, '$1').trim();
  const isQuoted = QUOTED.test(whole);
  if (!isQuoted && !JSON_BEGINS.test(whole)) return withoutEnvelopeBehind(text);
  let value: unknown;
  try {
    value = looselyParsed(whole);
  } catch {
    return isAnnounced || isQuoted ? { text, calls: [] } : null;
  }
  // People are shown JSON, too: by somebody who says so.
  const isShown =
    isAnnounced &&
    isObject(value) &&
    Object.keys(value).length > 1 &&
    !OF_CALLS.test(whole) &&
    !/"content"\s*:/.test(whole);
  const calls = isShown ? null : jsonCalls(value);
  if (calls) return { text: '', calls };
  const inner = isShown ? null : enveloped(value);
  if (inner !== null) return { text: inner, calls: [] };
  return isAnnounced ? { text, calls: [] } : null;
}

/** A line that announces a block of JSON, and the block. */
const ANNOUNCED = /^[^\n]{0,200}:[ \t]*\n+```(?:json)?[ \t]*\n([\s\S]*?)\n?[ \t]*```\s*$/i;
