import { OPENING, withoutCutMark, withPlainMarks } from './cut-marks-text';
import { OF_CALLS, withoutEnvelope } from './enveloped-text';
import { asTags } from './machine-marks-table';
import { withoutMarkdown } from './markdown-text';
import { finalChannel, markTagged, takeCalls } from './marked-calls';
import { SET_ASIDE, setAside } from './shown-text';
import { withoutThoughts } from './thoughts-text';
import { takeUnmarkedCalls } from './unmarked-calls';
import { type WrittenCall, TAKEN } from './written-calls';

const TURN = '(?:assistant|model|user|system|tool|developer|answer)';
/** A former price with words about it, and the new one behind it. */
const STRUCK = '[^<>\\n]{0,60}\\d[^<>\\n]{0,60}';
const NEW_PRICE = '[^<>\\n]{0,40}\\d';
/** Tokens that end a turn or begin one, with the name of its speaker. */
const TURNS = new RegExp(
  [
    `<\\|(?:im_start|start|start_header_id|header_start|start_of_role|role_start|turn)\\|>[ \\t]*${TURN}?[ \\t]*(?:<\\|(?:end_header_id|header_end|end_of_role|role_end|im_sep|message)\\|>)?`,
    `<\\|(?:im_end|end|eot_id|eom_id|endoftext|end_of_text|end_of_sentence|begin_of_sentence|return|call|eot|eom|end_of_turn|endofturn|end_of_msg|im_sep|message_sep|END_OF_TURN_TOKEN|END_RESPONSE|END_TEXT|end_message)\\|>`,
    `<\\|(?:im_)?(?:assistant|user|system|observation|START_RESPONSE|START_TEXT|START_OF_TURN_TOKEN|CHATBOT_TOKEN|USER_TOKEN|SYSTEM_TOKEN)(?:_(?:start|end))?\\|>(?:${TURN}?<\\|im_middle\\|>)?`,
    `(?:^\\s*${TURN})?<\\|role_sep\\|>`,
    `<(?:start_of_turn>|\\|turn>|seed:bos>|extra_id_1>)[ \\t]*${TURN}?|<(?:end_of_turn|turn\\||seed:eos|end_of_utterance)>`,
    `\\]~b\\][ \\t]*(?:ai|${TURN})?|\\[e~\\[|\\[\\|(?:endofturn|assistant|user|system)\\|\\]`,
    // Not a price that is struck out, a size, or a user's name to fill in.
    `(?<!\\S[ \\t]{1,3}(?=<s>(?:[ \\t,.;)]|$)))<s>(?!\\s*[$€£₸₽\\d][^<>\\n]{0,40}</s>|${STRUCK}</s>${NEW_PRICE})|(?<!<s>\\s*[$€£₸₽\\d][^<>\\n]{0,40})(?:(?<!<s>${STRUCK})</s>|</s>(?!${NEW_PRICE}))|(?<![\\p{L}\\p{N},:/@("'=-][ \\t]?)</?(?:assistant|user|human)>(?![ \\t]{0,3}[–—=-])`,
    '<(?:eos|bos|eod|eop|sop)(?:_token)?>|\\[\\/?INST\\]|\\[EOT\\]|\\[/s\\]|<<\\/?SYS>>',
  ].join('|'),
  'giu',
);
/** Any other token. */
const TOKENS =
  /<ctrl\d{1,3}>(?:call\b)?|<(?:start|end)_of_image>|<\|[^|<>\n]{1,60}\|>|\[\|\w{1,40}\|\]|<(?:unk|pad|mask|unused\d+|(?:reserved|SPECIAL|extra_id)_\w{1,40}|0x[0-9A-F]{2})>|\[(?:gMASK|sMASK|EOS|BOS|PAD|unused\d+)\]|\]~!b\[/g;
const SPEAKER = /^\s*[*_]{0,3}(?:assistant|ассистент)[*_]{0,3}\s*(?::[*_]{0,3}\s|：[*_]{0,3}|\n)/i;
/** The name of who speaks in a turn that the model has made up, set in whatever signs. */
const nameOf = (names: string): string =>
  `\\n[ \\t]*(?:#{1,4}[ \\t]*)?[*_[]{0,3}(?:${names})[\\]*_]{0,3}[ \\t]*[:：]`;
/** A turn that the model has made up for somebody else. */
const NEXT_TURN = new RegExp(
  [
    `${nameOf('Human|User|Customer|HUMAN|USER|Пользователь|Клиент')}(?=[\\s\\S]{0,4000}?${nameOf('Assistant|ASSISTANT|AI|Bot|Ассистент|Бот|ИИ')})[\\s\\S]*$`,
    `(?:(?!^)\\n[ \\t]*Human:|\\n[ \\t]*#{2,4}[ \\t]*(?:Instruction|Human|User|Input)[ \\t]*:|(?<=[.!?…。]["'”»)]?)[ \\t]*\\n\\s{0,9}[Aa]ssistant[ \\t]*:)[\\s\\S]*$`,
  ].join('|'),
);

const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u;

/** Whose turn begins after a token. */
const OTHERS = /user|human|system|tool|developer|observation|\[INST\]|<<\/?SYS>>/i;
const ENDS =
  /^<\|(?:im_end|end|eo[tm]|message_sep|return|call|\w+_end)|^<(?:end_of|turn\||\/s|seed:eos|eos|eod|eop|\/assistant)|^\[(?:e~|EOT|\|end|\/s)/i;

/**
 * The model's first turn that says or calls anything: what it writes after its end, or for others, is not for anybody.
 */
function firstTurn(text: string): string {
  let from = 0;
  let isOurs = true;
  let hasCalled = false;
  let first = '';
  for (const match of [...text.matchAll(TURNS), null]) {
    const turn = text.slice(from, match?.index).replace(TOKENS, '');
    hasCalled ||= turn.includes(TAKEN);
    if (isOurs && VISIBLE.test(turn)) {
      first = turn;
      break;
    }
    if (!match) break;
    isOurs = !OTHERS.test(match[0]) && !ENDS.test(match[0]);
    if (hasCalled && !isOurs) break;
    from = match.index + match[0].length;
  }
  return `\n${first.replaceAll(TAKEN, '').replace(SPEAKER, '')}`.replace(NEXT_TURN, '');
}

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
/** Where a model has something from: OpenAI's marks, the last of which may be cut. */
const SOURCES =
  /[ \t]?【\d+(?::\d+)?†[^】\n]{0,200}】|【(?:\d+(?::\d*)?(?:†[^】\n]{0,200})?)?$|\ue200[^\ue201\n]{0,200}(?:\ue201|$)|[ \t]?\bcite(?:turn\d{1,4}(?:search|view|news|file|image|fetch)\d{1,4}){1,20}\b/g;
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
  let isBroken = false;
  // Long runs of blanks would take the patterns quadratic time.
  const seen = written
    .replace(UNSEEN, '')
    .replace(SOURCES, '')
    .replace(JOINED_MARK, (mark) => mark.replace(JOINERS, ''))
    .replace(DSML, '<$1')
    .toWellFormed()
    .replace(/[^\S\n]{20,}/g, ' ')
    .replace(/(?:[^\S\n]*\n){3,}/g, '\n\n')
    .trim();
  const emptied = EMPTIED.filter((pattern) => seen.search(pattern) < 0);
  const { text: unshown, restore } = setAside(seen, tools);
  let text = unshown;
  // What stands in the text of JSON is restored as such.
  const restored = ({ name, input }: WrittenCall): WrittenCall => ({
    name,
    input: input.replace(SET_ASIDE, (sign) => JSON.stringify(restore(sign)).slice(1, -1)),
  });
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
    return { text: restore(text), calls: calls.map(restored), isBroken };
  }
  return { text: '', calls: calls.map(restored), isBroken: text !== '' || isBroken };
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
