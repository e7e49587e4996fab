import { isObject } from '@app/contracts/json-object';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isThought } from './machine-text/enveloped-text';
import { ModelFailure } from './model-failure';

type Json = Record<string, unknown>;

const DONE = '[DONE]';
/** How many bytes are looked at for the first that is no blank. */
const BLANK_BYTES_MAX = 4_096;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What some servers have in place of null while there is none. */
const NO_REASON: ReadonlySet<string> = new Set(['', 'null']);

function reasonOf(reason: unknown): string | null {
  const given = textOrNull(reason)?.toLowerCase() ?? '';
  return NO_REASON.has(given) ? null : given;
}

/** Text, parts of a text, or an object that has one, as text or as the parts that the SDK knows. */
function contentOf(content: unknown): unknown {
  if (typeof content === 'string' || content === null || content === undefined) return content ?? null;
  if (Array.isArray(content)) {
    return content.flatMap((part) => {
      if (typeof part === 'string') return [{ type: 'text', text: part }];
      if (!isObject(part)) return [];
      if (isThought(part)) return [];
      return typeof part.text === 'string' ? [{ type: 'text', text: part.text }] : [part];
    });
  }
  return isObject(content) ? textOrNull(content.text) : null;
}

function callsOf(delta: Json): unknown {
  const legacy = isObject(delta.function_call) ? [{ index: 0, function: delta.function_call }] : [];
  const given: unknown[] = Array.isArray(delta.tool_calls)
    ? delta.tool_calls
    : isObject(delta.tool_calls)
      ? [delta.tool_calls]
      : legacy;
  return given.filter(isObject).map((call) => {
    const called = isObject(call.function) ? call.function : {};
    const { arguments: input } = called;
    const index = typeof call.index === 'string' ? Number(call.index) : call.index;
    return {
      ...call,
      index: Number.isInteger(index) ? index : undefined,
      id: typeof call.id === 'number' ? `${call.id}` : textOrNull(call.id),
      function: {
        name: textOrNull(called.name),
        arguments: isObject(input) || Array.isArray(input) ? JSON.stringify(input) : textOrNull(input),
      },
    };
  });
}

/** A part of the stream in the one form that the SDK reads. Null: it says nothing of an answer. */
function regular(chunk: unknown): Json | null {
  if (!isObject(chunk)) return null;
  if (chunk.error !== undefined && chunk.error !== null) return chunk;
  if (chunk.choices === undefined) return null;
  if (!Array.isArray(chunk.choices)) return chunk;
  const choices = chunk.choices.filter(isObject).map((choice) => {
    const delta = [choice.delta, choice.message].find(isObject) ?? { content: choice.text };
    return {
      index: 0,
      finish_reason: reasonOf(choice.finish_reason),
      delta: {
        role: 'assistant',
        content: contentOf(delta.content),
        refusal: textOrNull(delta.refusal),
        reasoning_content: textOrNull(delta.reasoning_content),
        reasoning: textOrNull(delta.reasoning),
        tool_calls: callsOf(delta),
      },
    };
  });
  const { id, created, model, usage } = chunk;
  return {
    id: textOrNull(id),
    created: typeof created === 'number' ? created : null,
    model: textOrNull(model),
    usage: isObject(usage) ? usage : null,
    choices: choices.slice(0, 1),
  };
}

const eventOf = (data: string): string => `data: ${data}\n\n`;

/** What cannot be read goes on as it is: the SDK reports it. */
function regularData(data: string): string {
  if (data.trim() === DONE) return eventOf(DONE);
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch {
    return eventOf(data.replaceAll('\n', ' '));
  }
  const known = regular(chunk);
  return known ? eventOf(JSON.stringify(known)) : '';
}

/** One JSON value, or one on each line. */
function regularDocument(document: string): string {
  try {
    return regularData(JSON.stringify(JSON.parse(document)));
  } catch {
    return document
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(regularData)
      .join('');
  }
}

const NO_STREAM = new ModelFailure("The model's endpoint answered with no stream: check AI_BASE_URL.", true);

/**
 * The answer of a server as the stream that the SDK reads, whatever its content type says: events, or JSON as a whole.
 * Servers differ in what they leave out, in odd roles, in arguments that are no text, in parts of a content.
 * @param body of a status of 2xx
 * @returns events; the reading throws ModelFailure for a web page
 */
export function regularStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const texts = body.pipeThrough(new TextDecoderStream());
  return ReadableStream.from(eventsOf(texts)).pipeThrough(new TextEncoderStream());
}

async function* eventsOf(texts: ReadableStream<string>): AsyncGenerator<string> {
  const reader = texts.getReader();
  let begin = '';
  while (begin.trim() === '' && begin.length < BLANK_BYTES_MAX) {
    const { done, value } = await reader.read();
    if (done) break;
    begin += value;
  }
  const [first = ''] = begin.trimStart();
  if (first === '<') throw NO_STREAM;
  async function* all(): AsyncGenerator<string> {
    try {
      yield begin;
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      // Whoever reads no further closes the connection.
      await reader.cancel();
    }
  }
  if (first === '{' || first === '[') {
    let document = '';
    for await (const text of all()) document += text;
    yield regularDocument(document);
    return;
  }
  const events = ReadableStream.from(all()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    const text = regularData(data);
    if (text !== '') yield text;
  }
}
