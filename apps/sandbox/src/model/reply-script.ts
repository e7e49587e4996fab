import { record, text } from '../http/json.answer';

/** A call of a tool, as the model writes it. */
export interface WrittenCall {
  name: string;
  /** JSON, or invalid JSON of a misbehaving model. */
  arguments: string;
}

/** What the model does with a request. */
export type ModelAct =
  | { kind: 'say'; text: string; calls?: readonly WrittenCall[] }
  | { kind: 'hang' }
  | { kind: 'drip'; text: string }
  | { kind: 'endless'; text: string }
  | { kind: 'garbage' }
  | { kind: 'refuse'; httpStatus: number; retryAfterSeconds?: number };

/** Where a reply pauses until it is released. */
const HOLDS = ['start', 'middle', 'end'] as const;

export interface ModelReply {
  act: ModelAct;
  /** Before the first byte. */
  delayMs?: number;
  /** Between words. Default: the sandbox's pause. */
  wordDelayMs?: number;
  /** Before the first byte, after half of the words, or after all words but before the end is written. */
  hold?: (typeof HOLDS)[number];
  /** Resets the connection after half of the words. */
  cut?: boolean;
}

/** A reply that a test gave in advance. */
interface ScriptedReply extends ModelReply {
  /** Only for requests whose last customer's message contains this text. */
  when: string | null;
  /** How many more requests get it; null: all. */
  left: number | null;
}

/** The given value is no reply. */
export class ScriptError extends Error {}

const REPLIES_MAX = 10_000;

/** Replies given by tests, in order. Each answers a request that it matches, before the model's own replies do. */
export class ReplyScript {
  private replies: ScriptedReply[] = [];

  /**
   * @throws ScriptError; then none of the given replies is stored
   */
  add(given: unknown): void {
    const replies = (Array.isArray(given) ? given : [given]).map(readReply);
    if (this.replies.length + replies.length > REPLIES_MAX)
      throw new ScriptError(`No more than ${REPLIES_MAX} replies can wait.`);
    this.replies.push(...replies);
  }

  /** The scripted reply to the customer's last message; null: there is none. */
  take(words: string): ModelReply | null {
    const index = this.replies.findIndex(({ when }) => when === null || words.includes(when));
    const reply = this.replies[index];
    if (!reply) return null;
    if (reply.left !== null) {
      reply.left -= 1;
      if (reply.left === 0) this.replies.splice(index, 1);
    }
    return reply;
  }

  get size(): number {
    return this.replies.length;
  }

  clear(): void {
    this.replies = [];
  }
}

function readReply(value: unknown): ScriptedReply {
  const given = record(value);
  if (!given) throw new ScriptError('A reply must be a JSON object.');
  const hold = HOLDS.find((one) => one === given.hold);
  if (given.hold !== undefined && !hold) throw new ScriptError(`hold must be one of ${HOLDS.join(', ')}.`);
  const left = given.times === null ? null : numberOf(given, 'times', 1);
  if (left === 0) throw new ScriptError('times must be at least 1, or null for ever.');
  return {
    when: text(given.when),
    left: left ?? null,
    act: readAct(given),
    delayMs: numberOf(given, 'delay_ms'),
    wordDelayMs: numberOf(given, 'word_delay_ms'),
    hold,
    cut: given.cut === true,
  };
}

function readAct(given: Record<string, unknown>): ModelAct {
  const calls = given.tool_calls ?? [];
  if (!Array.isArray(calls)) throw new ScriptError('tool_calls must be an array.');
  const httpStatus = numberOf(given, 'status');
  if (httpStatus !== undefined) {
    if (httpStatus < 400 || httpStatus > 599) throw new ScriptError('status must be from 400 to 599.');
    return { kind: 'refuse', httpStatus, retryAfterSeconds: numberOf(given, 'retry_after') };
  }
  const words = text(given.text) ?? '';
  switch (given.act) {
    case undefined:
    case 'say':
      return { kind: 'say', text: words, calls: calls.map(readCall) };
    case 'drip':
    case 'endless':
      return { kind: given.act, text: words || 'On and on. ' };
    case 'hang':
    case 'garbage':
      return { kind: given.act };
    default:
      throw new ScriptError('act must be one of say, hang, drip, endless, garbage.');
  }
}

function readCall(value: unknown): WrittenCall {
  const call = record(value);
  const name = text(call?.name);
  if (!call || !name) throw new ScriptError('A tool call needs a name.');
  const written = text(call.arguments);
  return { name, arguments: written ?? JSON.stringify(call.arguments ?? {}) };
}

function numberOf(given: Record<string, unknown>, key: string, fallback?: number): number | undefined {
  const value = given[key] ?? fallback;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new ScriptError(`${key} must be a whole number.`);
  return value;
}
