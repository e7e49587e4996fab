import { callsIn, TAKEN, type WrittenCall } from './written-calls';

/** What stood beside calls without a mark. */
export interface Unmarked {
  text: string;
  /** Whether something that begins as a call of ours cannot be understood. */
  isBroken: boolean;
}

/** Calls that are a paragraph, a block of code or a last line of their own, or a list. */
const ALONE = [
  /```\w*\s*\n([\s\S]*?)\n?\s*```/g,
  /(?<=^|\n\s*\n)(\S[\s\S]*?)(?=\n\s*\n|$)/g,
  /(?<=^|\n)([^\n]+)(?=[\s\0]*$)/g,
  // Llama writes a list of calls, also behind its words.
  /(\[[ \t]*[A-Za-z_][\w.-]*\([^\n]{0,4000}\)[ \t]*\])(?=[\s\0]*$)/g,
];

function takeAlone(text: string, tools: ReadonlySet<string>, calls: WrittenCall[]): string {
  return ALONE.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (whole: string, body: string) => {
        const read = /[({]/.test(body) ? callsIn(body.replaceAll(TAKEN, '')) : null;
        if (!read?.every(({ name }) => tools.has(name))) return whole;
        calls.push(...read);
        return TAKEN;
      }),
    text,
  );
}

/** Longer ones are not read. */
const CALL_MAX = 4_000;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Where what a bracket opens is closed, quotes and brackets within it aside; -1: nowhere near. */
function endOf(text: string, from: number): number {
  const open: string[] = [];
  let quote = '';
  let before = '';
  for (let at = from; at < Math.min(text.length, from + CALL_MAX); at += 1) {
    const sign = text[at] ?? '';
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
      // An apostrophe is none where a value can't begin.
    } else if (sign === '"' || (sign === "'" && /[=([{,:]/.test(before))) quote = sign;
    else if (sign in CLOSING && (sign !== '<' || at === from)) open.push(CLOSING[sign] ?? '');
    else if (sign === open.at(-1)) open.pop();
    if (open.length === 0) return at + 1;
    if (sign.trim() !== '') before = sign;
  }
  return -1;
}

const ATTRIBUTE = /([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** `<name key="value"/>` */
function attributeCall(tag: string): WrittenCall[] | null {
  const [, name = '', rest = ''] = /^<([\w.-]+)([\s\S]*?)\/?>$/.exec(tag) ?? [];
  const pairs = [...rest.matchAll(ATTRIBUTE)].map(([, key, double, single]) => [key, double ?? single]);
  return name === '' ? null : [{ name, input: JSON.stringify(Object.fromEntries(pairs)) }];
}

/**
 * How a call of one of these tools begins, wherever it stands. Amid words no blank stands between a name and its bracket:
 * people write so, and a tool may have an everyday name.
 */
function beginnings(tools: ReadonlySet<string>): RegExp {
  const name = `(?:(?:functions?|tools?|default_api)[.:])?(?:${[...tools].join('|')})`;
  return new RegExp(
    [
      `(?<![\\w.-])${name}(?:(?<=(?:^|\\n)[ \\t>*@\`-]{0,8}${name})[ \\t])?(?=\\(\\s*(?:[)"'{[]|\\w+\\s*=)|\\{\\s*["}])`,
      `(?=\\{\\s*"(?:name|tool|tool_name|function|action)"\\s*:\\s*"${name}")`,
      `(?=<${name}(?:\\s+[\\w.-]+\\s*=|\\s*/>))`,
    ].join('|'),
    'g',
  );
}

/** What of an object or a list may stand before a call in it. */
const OPENED = /[[{][\s\w"':,[\]{}-]{0,100}$/;

/** Where the outermost object or list begins and ends that a call is in; the call itself where there is none. */
function around(text: string, from: number, end: number, least: number): [from: number, end: number] {
  const before = text.slice(Math.max(least, from - 100), from);
  for (let at = OPENED.exec(before)?.index ?? -1; at >= 0 && at < before.length; at += 1) {
    const start = from - before.length + at;
    const close = '[{'.includes(before[at] ?? ' ') ? endOf(text, start) : -1;
    if (close >= end) return [start, close];
  }
  return [from, end];
}

/** What sets a call apart as code goes with it. */
const BEFORE = /(?:\b(?:print|await)[ \t]*\(?|[`@*]{1,3})$/;
const AFTER = /^[`*)]{0,3};?[ \t]*/;

/** Calls amid words. From one that cannot be understood on, nothing is read. */
function takeAmid(text: string, tools: ReadonlySet<string>, calls: WrittenCall[]): Unmarked {
  let kept = '';
  let from = 0;
  for (const match of text.matchAll(beginnings(tools))) {
    if (match.index < from) continue;
    let end = endOf(text, match.index + match[0].length);
    const call = text.slice(match.index, end);
    const isOurs = (read: WrittenCall[] | null): boolean =>
      read?.every(({ name }) => tools.has(name)) ?? false;
    let read = end < 0 ? null : call.startsWith('<') ? attributeCall(call) : callsIn(call);
    if (!isOurs(read) || !read) {
      // An everyday word, and something in brackets.
      if (match[0] !== '' && !match[0].includes('_')) continue;
      return { text: kept + text.slice(from, match.index), isBroken: true };
    }
    let start = match.index;
    if (call.startsWith('<')) {
      const closing = `</${read[0]?.name}>`;
      const at = call.endsWith('/>') ? -1 : text.slice(end, end + CALL_MAX).indexOf(closing);
      if (at >= 0) end += at + closing.length;
    } else {
      [start, end] = around(text, start, end, from);
      const whole = start < match.index ? callsIn(text.slice(start, end)) : null;
      if (isOurs(whole)) read = whole ?? read;
    }
    calls.push(...read);
    const left = text.slice(from, start);
    const beside = BEFORE.exec(left);
    kept += (beside ? left.slice(0, beside.index) : left) + TAKEN;
    const after = beside ? AFTER : /^[ \t]*/;
    from = end + (after.exec(text.slice(end, end + 100))?.[0].length ?? 0);
  }
  return { text: kept + text.slice(from), isBroken: false };
}

/** A call of ours in JSON whose name does not come first, or a part of one. */
const inJson = (tools: ReadonlySet<string>): RegExp =>
  new RegExp(`"(?:name|tool|tool_name|function)"\\s*:\\s*"(?:functions?\\.)?(?:${[...tools].join('|')})"`);

/** Takes out calls of our own tools that no mark sets apart, and leaves {@link TAKEN} where they stood. */
export function takeUnmarkedCalls(text: string, tools: ReadonlySet<string>, calls: WrittenCall[]): Unmarked {
  const alone = takeAlone(text, tools, calls);
  if (tools.size === 0) return { text: alone, isBroken: false };
  const amid = takeAmid(alone, tools, calls);
  return { ...amid, isBroken: amid.isBroken || inJson(tools).test(amid.text) };
}
