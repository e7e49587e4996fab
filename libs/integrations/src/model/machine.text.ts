import { OPENING, withoutCutMark, withPlainMarks } from './cut-marks.text';
import { OF_CALLS, withoutEnvelope } from './enveloped.text';
import { asTags, isAmidClause } from './machine-marks.table';
import { withoutMarkdown } from './markdown.text';
import { finalChannel, markTagged, takeCalls } from './marked.calls';
import { withoutThoughts } from './thoughts.text';
import { firstTurn } from './turns.text';
import { takeUnmarkedCalls } from './unmarked.calls';
import type { WrittenCall } from './written.calls';

/** What a model's text holds once everything that only machines read is taken out of it. */
export interface ReadText {
  /** For the customer; may be empty. */
  text: string;
  calls: WrittenCall[];
  /** Whether it held a call that cannot be understood, or an answer in JSON without a text. */
  isBroken: boolean;
}

/** A call in JSON without its end, after words of its own. */
const CUT_CALL =
  /(?:^|\n)[ \t]*(?:```\w*\s*)?\[?\s*\{\s*(?:"(?:[a-z_]{0,20}|(?:name|type|function|tool|tool_name|tool_calls|action|arguments|parameters|input)"[\s\S]*))?$/;

/** JSON that has an end, and nothing of a call, is shown to people. */
function withoutCutCall(text: string): string {
  const cut = CUT_CALL.exec(text);
  if (!cut) return text;
  const begin = text.indexOf('{', cut.index);
  const end = endOfObject(text, begin);
  if (end === null || OF_CALLS.test(text.slice(begin, end))) return text.slice(0, cut.index);
  return text.slice(0, end) + withoutCutCall(text.slice(end));
}

/** Where an object that begins at an index ends; null: nowhere. */
function endOfObject(text: string, begin: number): number | null {
  let depth = 0;
  for (const { 0: sign, index } of text.slice(begin).matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/g)) {
    if (sign === '{') depth += 1;
    else if (sign === '}' && --depth === 0) return begin + index + 1;
  }
  return null;
}

/** A mark as code amid a clause: people are told of it. */
const TOLD_MARK = /(?<!`)`(?:<[^`<>\n]{1,60}>|\[[^`[\]\n]{1,60}\])`(?!`)/g;
/** Signs that no text has, each of which stands for what is not read. */
const UNREAD = 0xf0000;
const UNREAD_SIGNS = /[\u{f0000}-\u{ffffd}]/gu;

/** What set a mark apart, and is empty now. */
const EMPTIED: readonly RegExp[] = [
  /\*{4}|_{4}|~{4}/g,
  /(?<!`)``(?!`)/g,
  /```\w*\s*```/g,
  /^[ \t]*[*_~>][*_~> \t]*$/gm,
  /(?<=\S[ \t]{1,3})[*_~`]{1,3}$/g,
];

/** What nobody sees, and what may stand within a mark, as MiniMax M3 has it. A joiner is part of signs and of words: it is left out in marks. */
const UNSEEN = /[\0\u00ad\u200b\u2060\ufeff]|\]<\]minimax\[>\[/g;
const JOINED_MARK = /<[\w\s/:|\u200c-\u200f\u2061-\u2064]{1,60}(?:>|$)/g;
const JOINERS = /[\u200c-\u200f\u2061-\u2064]/g;
/** How DeepSeek 3.2 marks its own tags. */
const DSML = new RegExp(String.raw`${OPENING}(/?)\s*[|｜]{1,2}\s*DSML\s*[|｜]{1,2}\s*`, 'gi');

/** Taking a mark out may join the halves of another one. */
const ROUNDS_MAX = 5;

/**
 * Takes everything out of a model's text that only machines read: thoughts, calls of tools, channels, tokens of turns,
 * envelopes of JSON. The marks are those of public chat templates and of reports about servers that let them through.
 * @param tools the names of ours: their calls are known without a mark too
 */
export function readMachineText(written: string, tools: ReadonlySet<string>): ReadText {
  const calls: WrittenCall[] = [];
  const told: string[] = [];
  let isBroken = false;
  // Long runs of blanks would take the patterns quadratic time.
  const seen = written
    .replace(UNSEEN, '')
    .replace(UNREAD_SIGNS, '')
    .replace(JOINED_MARK, (mark) => mark.replace(JOINERS, ''))
    .replace(DSML, '<$1')
    .toWellFormed()
    .replace(/[^\S\n]{20,}/g, ' ')
    .replace(/(?:[^\S\n]*\n){3,}/g, '\n\n')
    .trim();
  const emptied = EMPTIED.filter((pattern) => seen.search(pattern) < 0);
  let text = seen.replace(TOLD_MARK, (mark, at: number) =>
    isAmidClause(seen, at, mark) && !tools.has(/[\w-]+/.exec(mark)?.[0] ?? '')
      ? String.fromCodePoint(UNREAD + told.push(mark) - 1)
      : mark,
  );
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = text;
    const final = finalChannel(asTags(withoutCutMark(withPlainMarks(text, tools), tools)), calls);
    const spoken = withoutThoughts(markTagged(final.text, tools));
    const called = takeCalls(spoken.text, tools, calls);
    isBroken ||= final.isBroken || spoken.isBroken || called.isBroken;
    const unmarked = takeUnmarkedCalls(called.text, tools, calls);
    text = firstTurn(unmarked.text);
    const opened = withoutEnvelope(text);
    if (opened) calls.push(...opened.calls);
    const whole = withoutCutCall(opened?.text ?? '');
    isBroken ||= unmarked.isBroken || whole !== opened?.text;
    text = emptied
      .reduce((rest, pattern) => rest.replace(pattern, ''), whole)
      .replace(/\n\s*\n\s*\n/g, '\n\n')
      .trim();
    if (text !== before) continue;
    return {
      text: text.replace(UNREAD_SIGNS, (sign) => told[(sign.codePointAt(0) ?? 0) - UNREAD] ?? ''),
      calls,
      isBroken,
    };
  }
  return { text: '', calls, isBroken: text !== '' || isBroken };
}

/**
 * What a customer gets of a model's text, with the messenger's marks in place of Markdown. What only machines read is
 * taken out of it before and after: Markdown's signs may stand within the marks of machines.
 * @param tools see {@link readMachineText}
 */
export function readForPeople(written: string, tools: ReadonlySet<string>): ReadText {
  const read = readMachineText(written, tools);
  const shown = readMachineText(withoutMarkdown(read.text), tools);
  return {
    text: shown.text,
    calls: [...read.calls, ...shown.calls],
    isBroken: read.isBroken || shown.isBroken,
  };
}
