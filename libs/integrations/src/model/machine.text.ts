import { isObject } from '@app/contracts/json.object';
import { takeUnmarkedCalls } from './unmarked.calls';
import { callsIn, jsonCalls, namedCall, taggedCall, type WrittenCall } from './written.calls';

/** What a model's text holds once everything that only machines read is taken out of it. */
export interface ReadText {
  /** For the customer; may be empty. */
  text: string;
  calls: WrittenCall[];
  /** Whether it held a call that cannot be understood, or an answer in JSON without a text. */
  isBroken: boolean;
}

const THOUGHT = [
  'think(?:ing)?(?:[_-]process)?|thoughts?(?:[_-]process)?|reason(?:ing)?(?:[_-](?:content|process|steps))?',
  '(?:internal|inner)[_-]?(?:thoughts?|reasoning|monologue)|chain[_-]of[_-]thoughts?|cot',
  'reflection|scratchpad|analysis|antthinking|seed:think',
].join('|');

/** Where thoughts begin and end, in the spellings of many models; escaped for HTML too. */
const THOUGHT_MARKS = new RegExp(
  [
    `(?:<|&lt;)\\s*(\\/?)\\s*(?:${THOUGHT})(?![\\w-])(?:\\s[^<>]{0,200})?\\s*(?:>|&gt;)`,
    `\\[(\\/?)(?:THINK(?:ING)?|think(?:ing)?)\\]`,
    `◁(\\/?)(?:think|思考)▷`,
    `<\\|(\\/?)(?:think(?:ing)?|thought)\\|>`,
    `<\\|(?:begin|(end))_of_(?:thought|thinking|reasoning)\\|>`,
    `<unused(?:94|(95))>(?:thought\\b)?`,
    `<\\|channel>\\s*(?:thought|analysis)\\b|(<channel\\|>)`,
  ].join('|'),
  'gi',
);

const THOUGHTS = '(?:thinking|thoughts?|reasoning|analysis|(?:thought|thinking)[ \\t]+process)';
const ANSWER =
  '(?:final[ \\t]+)?(?:answer|response|reply)(?:[ \\t]+to[ \\t]+(?:the[ \\t]+)?(?:customer|client|user))?';
/** Thoughts under a heading that is nothing else, up to the heading of the answer: bold words, or a line. */
const HEADED = new RegExp(
  `^\\s*(?:\\*\\*${THOUGHTS}:?\\*\\*:?|#{1,4}[ \\t]*${THOUGHTS}:?[ \\t]*(?=\\n))\\s[\\s\\S]*?` +
    `\\n[ \\t]*(?:\\*\\*|#{1,4}[ \\t]*)${ANSWER}(?::?\\*\\*:?|:|[ \\t]*(?=\\n))`,
  'i',
);

/** Thoughts that are set apart as people set a text apart: behind a fold, in a block, under a heading. */
const SET_APART: readonly RegExp[] = [
  /<details\b[^>]{0,200}\breasoning\b[^>]{0,200}>[\s\S]*?(?:<\/details>|$)/gi,
  /<details\b[^>]{0,200}>\s*<summary>[^<]{0,200}(?:think|thought|reason|размышл|мысл)[^<]{0,200}<\/summary>[\s\S]*?(?:<\/details>|$)/gi,
  /```(?:think(?:ing)?|thoughts?|reasoning|analysis)[ \t]*\n[\s\S]*?(?:```|$)/gi,
  /\[(THOUGHTS?|REASONING)\][\s\S]*?(?:\[\/\1\]|$)/g,
  // Gemini, without an end.
  /^\s*thought[ \t]*\n[\s\S]*$/,
  HEADED,
];

/**
 * Takes thoughts out. Many templates open them in the request, so that only the closing mark is in the answer: what
 * stands before a lone closing mark is thought (deepseek-ai/DeepSeek-R1#352). One that is never closed goes on to the
 * end.
 */
function withoutThoughts(text: string): string {
  let depth = 0;
  let from = 0;
  let kept = '';
  for (const match of text.matchAll(THOUGHT_MARKS)) {
    const isEnd = match.slice(1).some((group) => group !== undefined && group !== '');
    if (depth === 0) kept += text.slice(from, match.index);
    if (!isEnd) depth += 1;
    else if (depth === 0) kept = '';
    else depth -= 1;
    from = match.index + match[0].length;
  }
  const visible = depth === 0 ? kept + text.slice(from) : kept;
  return SET_APART.reduce((rest, pattern) => rest.replace(pattern, ''), visible);
}

/** The channels of gpt-oss ("harmony"): only `final` is for people, and a call is addressed to its tool. */
const CHANNEL =
  /<\|channel\|>([^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>([\s\S]*?)(?=<\|(?:end|call|return|start|channel)\|>|$)/gi;
/** The same where a server has taken the tokens out and left their words. */
const CHANNEL_WORDS =
  /^\s*(?:assistant)?\s*(?:(?:analysis|commentary)(?=[^a-z:])[\s\S]*?assistant(?:\s*\n\s*)?final|(?:analysis|commentary)[ \t]*\n[\s\S]*?assistant\s+final)(?:\s*(?:message|json)\b)?/;
const ADDRESSEE = /to=(?:functions\.)?([\w.-]+)/;

function finalChannel(text: string, calls: WrittenCall[]): { text: string; isBroken: boolean } {
  if (!/<\|channel\|>/i.test(text)) return { text: text.replace(CHANNEL_WORDS, ''), isBroken: false };
  let isBroken = false;
  const final: string[] = [];
  // The addressee may stand before the channel: <|start|>assistant to=functions.name<|channel|>commentary…
  const moved = text.replace(
    /<\|start\|>assistant\s+(to=[\w.-]+)\s*<\|channel\|>(\w+)/gi,
    '<|channel|>$2 $1',
  );
  for (const [, header = '', body = ''] of moved.matchAll(CHANNEL)) {
    const [, tool] = ADDRESSEE.exec(header) ?? [];
    if (tool !== undefined) {
      const read = namedCall(`${tool}${body.trim()}`);
      if (read) calls.push(...read);
      else isBroken = true;
    } else if (/^\s*final\b/i.test(header)) final.push(body);
  }
  return { text: final.join('\n\n'), isBroken };
}

/** Where calls begin and end. A call that is never closed goes on to the end. */
const CALLS: readonly RegExp[] = [
  // Hermes, Qwen, GLM, MiniMax, Claude; the inner mark alone, and the outer one around several.
  /<(?:\w{1,20}:)?(?:tool_calls?|function_calls?|toolcalls?|tool_use|tool_code|function_call)\b(?!\|)[^>]{0,100}>([\s\S]*?)(?:<\/(?:\w{1,20}:)?(?:tool_calls?|function_calls?|toolcalls?|tool_use|tool_code|function_call)>|$)/gi,
  /(<(?:\w{1,20}:)?(?:function|invoke)(?:=|\s+name\s*=)[\s\S]*?(?:<\/(?:\w{1,20}:)?(?:function|invoke)>|$))/gi,
  // Kimi, DeepSeek.
  /<\|tool_call_begin\|>([\s\S]*?)(?:<\|tool_call_end\|>|$)/gi,
  /<｜tool▁call▁begin｜>([\s\S]*?)(?:<｜tool▁call▁end｜>|$)/gi,
  // Gemma, GigaChat, Phi, Granite.
  /<\|tool_call>([\s\S]*?)(?:<tool_call\|>|$)/gi,
  /<\|(?:tool_call|function_call|tool_calls)\|>([\s\S]*?)(?:<\|\/?(?:end_)?(?:tool_call|function_call|tool_calls|end)\|>|$)/gi,
  // Mistral, Llama.
  /\[TOOL_CALLS\]([\s\S]*?)(?=\[TOOL_CALLS\]|<\/s>|$)/g,
  /<\|python_tag\|>([\s\S]*?)(?:<\|eom_id\|>|<\|eot_id\|>|$)/gi,
  // Gemini, and models that repeat what a program showed them.
  /```(?:tool_code|tool_calls?|function_call)\s*\n([\s\S]*?)(?:```|$)/gi,
  /^[ \t]*(declaration:default_api[.:][\s\S]*)$/gim,
  /\[Calling tool:\s*([\s\S]*?)\](?=\s*$|\s*\n)/gim,
  // Phi.
  /\bfunctools[ \t]*(\[\s*\{[\s\S]{0,4000}\])/g,
  // gpt-oss, where a server has taken the tokens out and left their words.
  /(?:^|\n)[ \t]*(?:assistant)?[ \t]*(?:commentary|analysis)?[ \t]*to=((?:functions\.)?[\w.-]+\s*(?:(?:commentary|json|code)\s*)*\{(?:(?!\n[ \t]*(?:assistant|to=))[\s\S])*?\})(?=\s*$|\s*assistant)/gi,
  // A chain of the kind "Thought, Action, Action Input".
  /(?:^[ \t]*Thought:.*\n(?:(?![ \t]*(?:Action|Final Answer):).*\n){0,40})?^[ \t]*Action:[ \t]*([\w.-]+[ \t]*\n[ \t]*Action Input:[\s\S]*?)(?=\n[ \t]*Observation:|$(?![\s\S]))/gim,
];
/** Between the name and the arguments, in some of those. */
const SEPARATORS =
  /\s*\b(?:commentary\s*)?(?:json|code)\s*(?=\{)|<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|\s+with arguments:\s*|\n\s*Action Input:\s*/gi;
const KIND = /^\s*function(?=<｜tool▁sep｜>)<｜tool▁sep｜>/;

/** What a model takes for the answer of a tool, and what it marks its calls with besides. */
const LEFTOVERS = [
  /<(tool_response|tool_result|function_results?|observation|tool_outputs?)\b[^>]{0,100}>[\s\S]*?(?:<\/\1>|$)/gi,
  /<\/?(?:\w{1,20}:)?(?:tool_calls?|function_calls?|toolcalls?|tool_use|tool_code|tools?|functions?|invoke|parameters?|arg_key|arg_value|tool_response|tool_result|observation|function_results?)\b[^<>]{0,100}>/gi,
  /<\|tool_calls?_section_(?:begin|end)\|>|<｜tool▁(?:calls?|outputs?)▁(?:begin|end)｜>|<tool_call\|>/gi,
  /\[\/?(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|ARGS|CALL_ID)\]/g,
  // Around the answer itself.
  /<\/?(?:answer|response|final_?answer|final|output|reply|message)>/gi,
  /^[ \t]*Thought:.*$(?=[\s\S]{0,4000}?^[ \t]*Final Answer:)|^[ \t]*Final Answer:[ \t]*/gim,
];

/** Calls in tags that have the tools' own names, in the marks that other calls have: their arguments are no thoughts. */
function markTagged(text: string, tools: ReadonlySet<string>): string {
  if (tools.size === 0) return text;
  const tagged = new RegExp(`<(${[...tools].join('|')})>([\\s\\S]*?)(?:</\\1>|$)`, 'g');
  return text.replace(
    tagged,
    (_, name: string, body: string) => `<tool_call>${taggedCall(name, body) ?? ''}</tool_call>`,
  );
}

function takeCalls(
  text: string,
  tools: ReadonlySet<string>,
  calls: WrittenCall[],
): { text: string; isBroken: boolean } {
  let isBroken = false;
  let rest = text;
  for (const pattern of CALLS) {
    rest = rest.replace(pattern, (_, body: string) => {
      const call = body.replace(KIND, '').replace(SEPARATORS, ' ').trim();
      if (tools.has(call)) calls.push({ name: call, input: '{}' });
      else if (call !== '') {
        const read = callsIn(call);
        if (read) calls.push(...read);
        else isBroken = true;
      }
      return '\n';
    });
  }
  for (const pattern of LEFTOVERS) rest = rest.replace(pattern, '');
  return { text: rest, isBroken };
}

const TURN = '(?:assistant|model|user|system|tool|developer)';
/** Tokens that end a turn or begin one, with the name of its speaker. */
const TURNS = new RegExp(
  [
    `<\\|(?:im_start|start|start_header_id|turn)\\|>[ \\t]*${TURN}?[ \\t]*(?:<\\|(?:end_header_id|im_sep|message)\\|>)?`,
    `<\\|(?:im_end|end|eot_id|eom_id|endoftext|end_of_text|return|call|eot|end_of_turn|im_sep|END_OF_TURN_TOKEN|END_RESPONSE)\\|>`,
    `<\\|(?:assistant|user|system|observation|START_RESPONSE|START_OF_TURN_TOKEN|CHATBOT_TOKEN|USER_TOKEN|SYSTEM_TOKEN)\\|>`,
    `<(?:start_of_turn>|\\|turn>)[ \\t]*${TURN}?|<(?:end_of_turn|turn\\|)>`,
    '<\\/?s>|<(?:eos|bos|eod|eop|sop)>|\\[\\/?INST\\]|<<\\/?SYS>>|<\\/?(?:assistant|user|human)>',
    '<｜(?:end▁of▁sentence|begin▁of▁sentence|User|Assistant|EOT)｜>',
  ].join('|'),
  'gi',
);
/** Any other token. */
const TOKENS =
  /<\|[^|<>\n]{1,60}\|>|<｜[^｜<>\n]{1,60}｜>|<(?:unk|pad|mask|unused\d+|reserved_\w{1,40})>|\[(?:gMASK|sMASK|EOS|BOS|PAD)\]/g;
const SPEAKER = /^\s*assistant\s*(?::\s|\n)/i;
/** A turn that the model has made up for somebody else. */
const NEXT_TURN =
  /\n[ \t]*(?:#{1,4}[ \t]*)?(?:Human|User|Customer)[ \t]*:(?=[\s\S]{0,4000}?\n[ \t]*(?:#{1,4}[ \t]*)?(?:Assistant|AI|Bot)[ \t]*:)[\s\S]*$|\n[ \t]*(?:Human:|#{2,4}[ \t]*(?:Instruction|Human|User|Input)[ \t]*:)[\s\S]*$/;

const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u;

/** Whose turn begins after a token. */
const OTHERS = /user|human|system|tool|developer|observation|\[INST\]|<<\/?SYS>>/i;
const ENDS =
  /^<\|(?:im_end|end|eot|eom|endoftext|end_of|return|call|END)|^<(?:end_of_turn|turn\||\/s|eos|eod|eop|\/assistant)|^<｜(?:end|EOT)/i;

/** The model's first turn that says anything: what it writes after its end, or for others, is not for anybody. */
function firstTurn(text: string): string {
  let from = 0;
  let isOurs = true;
  let first = '';
  for (const match of [...text.matchAll(TURNS), null]) {
    const turn = text.slice(from, match?.index).replace(TOKENS, '');
    if (isOurs && VISIBLE.test(turn)) {
      first = turn;
      break;
    }
    if (!match) break;
    isOurs = !OTHERS.test(match[0]) && !ENDS.test(match[0]);
    from = match.index + match[0].length;
  }
  return `\n${first.replace(SPEAKER, '')}`.replace(NEXT_TURN, '');
}

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

const JSON_BEGINS = /^(?:\{\s*(?:"|\}|$)|\[\s*(?:\{|$))/;

/** The text of an answer that is JSON as a whole. Null: JSON without a text, or only a part of it. */
function withoutEnvelope(text: string): { text: string; calls: WrittenCall[] } | null {
  const isAnnounced = ANNOUNCED.test(text.trim());
  const whole = text
    .trim()
    .replace(ANNOUNCED, '$1')
    .replace(/^```(?:json)?\s*\n([\s\S]*?)\n?\s*```$/i, '$1')
    .trim();
  if (!JSON_BEGINS.test(whole)) return { text, calls: [] };
  let value: unknown;
  try {
    value = JSON.parse(whole);
  } catch {
    return isAnnounced ? { text, calls: [] } : null;
  }
  const calls = jsonCalls(value);
  if (calls) return { text: '', calls };
  const inner = enveloped(value);
  if (inner !== null) return { text: inner, calls: [] };
  // People are shown JSON, too: by somebody who says so.
  return isAnnounced ? { text, calls: [] } : null;
}

/** A line that announces a block of JSON, and the block. */
const ANNOUNCED = /^[^\n]{0,200}:[ \t]*\n+```(?:json)?[ \t]*\n([\s\S]*?)\n?[ \t]*```\s*$/i;

/** A call in JSON without its end, after words of its own. */
const CUT_CALL =
  /(?:^|\n)[ \t]*(?:```\w*\s*)?\[?\s*\{\s*(?:"(?:[a-z_]{0,20}|(?:name|type|function|tool|tool_name|tool_calls|action|arguments|parameters|input)"[\s\S]*))?$/;
/** Marks of which a text that was cut may hold the beginning. */
const CUT_MARK =
  /(?:<(?:[/|｜][\w▁:]{0,40}[|｜]?|[a-z][\w:]{0,40}[|｜]?|(?:\w+:)?(?:function|invoke|parameter|tool_call)\b[^<>]{0,100})?|&lt;\/?[\w:]{0,20}|\[\/?[A-Z_]{3,12}|◁\/?\w{0,10})$/i;

/** What nobody sees, and what may stand within a mark. A joiner is part of signs and of words: it is left out in marks. */
const UNSEEN = /[\0\u00ad\u200b\u2060\ufeff]/g;
const JOINED_MARK = /<[\w\s/:|\u200c-\u200f\u2061-\u2064]{1,60}>/g;
const JOINERS = /[\u200c-\u200f\u2061-\u2064]/g;
const WIDE_MARK = /＜[／/]?\s*[\w:]{2,30}\s*＞/g;
const NARROW: Readonly<Record<string, string>> = { '＜': '<', '／': '/', '＞': '>' };
/** How DeepSeek 3.2 marks its own tags. */
const DSML = /<(\/?)｜DSML｜/g;

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
  let text = written
    .replace(UNSEEN, '')
    .replace(WIDE_MARK, (mark) => mark.replace(/[＜／＞]/g, (sign) => NARROW[sign] ?? sign))
    .replace(JOINED_MARK, (mark) => mark.replace(JOINERS, ''))
    .replace(DSML, '<$1')
    .toWellFormed()
    .replace(/[^\S\n]{20,}/g, ' ')
    .replace(/(?:[^\S\n]*\n){3,}/g, '\n\n')
    .trim();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = text;
    const final = finalChannel(text, calls);
    const called = takeCalls(withoutThoughts(markTagged(final.text, tools)), tools, calls);
    isBroken ||= final.isBroken || called.isBroken;
    const unmarked = takeUnmarkedCalls(called.text, tools, calls);
    text = firstTurn(unmarked.text);
    const opened = withoutEnvelope(text);
    if (opened) calls.push(...opened.calls);
    isBroken ||= unmarked.isBroken || opened === null || CUT_CALL.test(opened.text);
    text = (opened?.text ?? '')
      .replace(CUT_CALL, '')
      .replace(CUT_MARK, '')
      .replace(/\n\s*\n\s*\n/g, '\n\n')
      .trim();
    if (text === before) return { text, calls, isBroken };
  }
  return { text: '', calls, isBroken: text !== '' || isBroken };
}
