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

function enveloped(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value;
  if (depth > DEEPEST_ENVELOPE) return null;
  if (Array.isArray(value)) {
    const texts = value.map((part) => enveloped(part, depth + 1));
    return texts.length > 0 && texts.every((text) => text !== null) ? texts.join('\n\n') : null;
  }
  if (!isObject(value)) return null;
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
        return `"${single.replaceAll("\\'", "'").replace(/(?<!\\)"/g, String.raw`\"`)}"`;
      if (word !== undefined) return PYTHON[word] ?? word;
      return key === undefined ? each.replace(/^,$/, '') : `"${key}"`;
    });
    return JSON.parse(strict);
  }
}

/** What calls have, and other JSON hardly ever. */
export const OF_CALLS = /"(?:arguments|parameters|input|function|tool_calls)"\s*:/;

/** The text of an answer that is JSON as a whole. Null: JSON without a text, or only a part of it. */
export function withoutEnvelope(text: string): { text: string; calls: WrittenCall[] } | null {
  const isAnnounced = ANNOUNCED.test(text.trim());
  const whole = text.trim().replace(ANNOUNCED, '$1').replace(AROUND_JSON, '$1').trim();
  const isQuoted = QUOTED.test(whole);
  if (!isQuoted && !JSON_BEGINS.test(whole)) return { text, calls: [] };
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
