import { isObject } from '@app/contracts/json-object';

/** A call of a tool that a model wrote as text. */
export interface WrittenCall {
  name: string;
  /** JSON. */
  input: string;
}

/** Where a call stood: what is around it, and after it, is read accordingly. No text has it. */
export const TAKEN = '\0';

/** Longer arguments in keywords or tags are not read: their patterns take quadratic time. */
const KEYWORDS_MAX = 4_000;

const NAME = '[A-Za-z_][\\w.-]{0,80}';
const FENCE = /^\s*```[a-z_]*\s*\n?|\n?\s*```\s*$/gi;
/** How some servers name a tool. */
const SPACE = /^(?:functions?|tools?|default_api)[.:]/;
const ORDINAL = /:\d+$/;

const bare = (name: string): string => name.trim().replace(SPACE, '').replace(ORDINAL, '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(FENCE, '').trim());
  } catch {
    return undefined;
  }
}

/** @param given an object, or an object as JSON; nothing at all is an empty one */
function inputOf(given: unknown): string | null {
  if (given === undefined || given === null || given === '') return '{}';
  const value = typeof given === 'string' ? parsed(given) : given;
  return isObject(value) ? JSON.stringify(value) : null;
}

function callOf(value: unknown): WrittenCall | null {
  if (!isObject(value)) return null;
  const inner = isObject(value.function) ? value.function : value;
  const name =
    inner.name ?? inner.tool ?? inner.tool_name ?? inner.recipient_name ?? inner.function ?? inner.action;
  if (typeof name !== 'string') return null;
  const input = inputOf(
    inner.arguments ??
      inner.parameters ??
      inner.params ??
      inner.input ??
      inner.args ??
      inner.action_input ??
      inner.kwargs,
  );
  return input === null ? null : { name: bare(name), input };
}

/** Calls as JSON: one, a list, or an object that holds a list. Null: it is something else. */
export function jsonCalls(value: unknown): WrittenCall[] | null {
  const several = isObject(value) ? (value.tool_calls ?? value.tool_uses) : null;
  const list = Array.isArray(several) ? several : value;
  const calls = (Array.isArray(list) ? list : [list]).map(callOf);
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

/** Values in XML are text; a schema's number or boolean is written without quotes. */
function pairsInput(pairs: Iterable<RegExpMatchArray>): string {
  const input: Record<string, unknown> = {};
  for (const [, key = '', text = ''] of pairs) {
    const value = parsed(text);
    input[key.trim()] = value === undefined || typeof value === 'string' ? text.trim() : value;
  }
  return JSON.stringify(input);
}

const XML_PARAMETER =
  /<(?:\w+:)?(?:parameter|argument)(?:=|\s+(?:name|key)\s*=\s*)["']?([^"'<>]{1,100})["']?[^<>]{0,200}>([\s\S]*?)<\/(?:\w+:)?(?:parameter|argument)>/gi;
const TAGGED = /<([A-Za-z_][\w.-]{0,80})>([\s\S]*?)<\/\1>/g;

/** Arguments as an object, as parameters with names, or as tags that have their names. */
function xmlInput(body: string): string | null {
  const object = inputOf(body.trim());
  if (object !== null || !body.includes('<') || body.length > KEYWORDS_MAX) return object;
  const pairs = [XML_PARAMETER, TAGGED].map((pattern) => [...body.matchAll(pattern)]);
  const found = pairs.find(({ length }) => length > 0);
  return found ? pairsInput(found) : null;
}

/** `<function=name>…</function>` (Qwen, Llama), `<invoke name="name">…</invoke>` (Claude, MiniMax), `<call tool="name">` (Kimi). */
const XML_CALL = new RegExp(
  `<(?:\\w+:)?(?:function|invoke|(?:tools)?call)(?:=|\\s+(?:name|tool)\\s*=\\s*)["']?(${NAME})["']?[^<>]{0,200}>([\\s\\S]*?)(?:</(?:\\w+:)?(?:function|invoke|(?:tools)?call)>|$)`,
  'gi',
);

function xmlCalls(body: string): WrittenCall[] | null {
  const found = [...body.matchAll(XML_CALL)];
  const calls = found.map(([, name = '', inner = '']) => {
    const input = xmlInput(inner);
    return input === null ? null : { name: bare(name), input };
  });
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

/** What stands within a tag that has a tool's name, a tag for each argument or an object, as JSON. Null: it cannot be understood. */
export function taggedCall(name: string, body: string): string | null {
  const input = xmlInput(body);
  return input === null ? null : JSON.stringify({ name, arguments: input });
}

/** A name and `<arg_key>…</arg_key><arg_value>…</arg_value>` (GLM, LongCat, Hunyuan). */
function pairCall(body: string): WrittenCall[] | null {
  if (body.length > KEYWORDS_MAX) return null;
  const [, name] = new RegExp(`^\\s*(${NAME})\\s*<\\w{0,20}arg_key>`).exec(body) ?? [];
  if (name === undefined) return null;
  const pairs = body.matchAll(
    /<\w{0,20}arg_key>([\s\S]*?)<\/\w{0,20}arg_key>\s*<\w{0,20}arg_value>([\s\S]*?)<\/\w{0,20}arg_value>/g,
  );
  return [{ name: bare(name), input: pairsInput(pairs) }];
}

/** `<tool_name>name</tool_name><tool_arguments>{…}</tool_arguments>` (PLaMo). */
const NAMED_IN_TAGS = new RegExp(
  `^\\s*<((?:tool_)?name)>\\s*(${NAME})\\s*</\\1>\\s*(?:<((?:tool_)?(?:arguments|parameters)|input|args)>([\\s\\S]*)</\\3>\\s*)?$`,
);

function tagsCall(body: string): WrittenCall[] | null {
  const [, , name, , given = ''] = NAMED_IN_TAGS.exec(body) ?? [];
  const input = name === undefined ? null : xmlInput(given);
  return name === undefined || input === null ? null : [{ name: bare(name), input }];
}

/** An object that has nothing but the tool's name with its arguments (Apertus). */
function keyedCalls(value: unknown): WrittenCall[] | null {
  const calls = (Array.isArray(value) ? value : [value]).map((each) => {
    const [[name, input] = [], ...more] = isObject(each) ? Object.entries(each) : [];
    return name !== undefined && more.length === 0 && isObject(input)
      ? { name: bare(name), input: JSON.stringify(input) }
      : null;
  });
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

/** What Python writes otherwise than JSON. */
export const PYTHON: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** The quotes of Gemma and Gemini, between which anything may stand, and names without quotes. */
const QUOTE = /<\|"\|>|<escape>|<ctrl46>/;

const quoted = (body: string): string =>
  body
    .split(QUOTE)
    .map((part, n) =>
      n % 2 === 1 ? JSON.stringify(part) : part.replace(/([{,]\s*)([\w-]+)\s*:/g, '$1"$2":'),
    )
    .join('');

/** A name, then an object: `name{…}`, `name({…})`, `functions.name:0 {…}`, `call:name{…}`. */
const NAMED = new RegExp(
  `^\\s*(?:call:|declaration:|print\\()?\\s*((?:default_api[.:])?${NAME}(?::\\d+)?):?\\s*(?:\\[ARGS\\]|\\()?\\s*(?:\`\`\`(?:json)?\\s*)?(\\{[\\s\\S]*\\})?\\s*(?:\`\`\`)?\\s*\\)*;?\\s*$`,
);

export function namedCall(body: string): WrittenCall[] | null {
  const [, name, json] = NAMED.exec(body) ?? [];
  if (name === undefined || (json === undefined && !body.includes('('))) return null;
  const input = inputOf(json);
  return input === null ? null : [{ name: bare(name), input }];
}

/** `name(key="value", other=1)` (Llama, Gemini). */
const KEYWORDS = new RegExp(`^\\s*(?:print\\()?\\s*(${NAME}?)(?:\\.call)?\\(([\\s\\S]*?)\\)+\\s*;?\\s*$`);
const KEYWORD = /\s*(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,'"]+)\s*(?:,|$)/gy;

function keywordCall(body: string): WrittenCall[] | null {
  if (body.length > KEYWORDS_MAX) return null;
  const [, name, rest = ''] = KEYWORDS.exec(body) ?? [];
  if (name === undefined) return null;
  const input: Record<string, unknown> = {};
  let end = 0;
  for (const [whole, key = '', text = ''] of rest.trim().matchAll(KEYWORD)) {
    end += whole.length;
    const json = text.startsWith("'") ? `"${text.slice(1, -1).replaceAll('"', '\\"')}"` : text.trim();
    input[key] = parsed(json.replace(/^(True|False|None)$/, (word) => PYTHON[word] ?? word)) ?? null;
  }
  return end === rest.trim().length ? [{ name: bare(name), input: JSON.stringify(input) }] : null;
}

/** One call of a list, with what separates it from the next. */
const LISTED = new RegExp(
  `\\s*(${NAME}\\((?:"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|[^"'()])*\\))\\s*(?:,|$)`,
  'gy',
);

/** `[name(key="value"), other()]` (Llama 3.2 and 4). */
function listedCalls(body: string): WrittenCall[] | null {
  const [, list] = /^\[([\s\S]*)\]$/.exec(body) ?? [];
  if (list === undefined || list.length > KEYWORDS_MAX) return null;
  const found = [...list.matchAll(LISTED)];
  const isWhole = found.reduce((length, [whole]) => length + whole.length, 0) === list.length;
  const calls = found.map(([, call = '']) => namedCall(call) ?? keywordCall(call));
  return isWhole && calls.length > 0 && calls.every((call) => call !== null) ? calls.flat() : null;
}

/** JSON values one after the other, on lines of their own. */
function lineCalls(body: string): WrittenCall[] | null {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const calls: WrittenCall[] = [];
  for (const line of lines) {
    const read = jsonCalls(parsed(line));
    // Thousands of lines that are no JSON would take their time.
    if (!read) return null;
    calls.push(...read);
  }
  return lines.length > 1 ? calls : null;
}

/**
 * What stands between the marks of a call, in any of the forms that models use. Null: it cannot be understood.
 * @param isKeyed whether an object may have nothing but the tool's name with its arguments
 */
export function callsIn(body: string, isKeyed = false): WrittenCall[] | null {
  const bareBody = body.replace(FENCE, '').trim();
  const text = QUOTE.test(bareBody) ? quoted(bareBody) : bareBody;
  const json = parsed(text);
  if (json !== undefined) return jsonCalls(json) ?? (isKeyed ? keyedCalls(json) : null);
  return (
    xmlCalls(text) ??
    pairCall(text) ??
    tagsCall(text) ??
    lineCalls(text) ??
    listedCalls(text) ??
    namedCall(text) ??
    keywordCall(text)
  );
}
