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

/** What thoughts are called in the marks around them. */
export const THOUGHT_NAMES = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reason', 'reasoning', 'reflection', 'monologue', 'cot'],
  ...['inner', 'analysis', 'scratchpad', 'rationale', 'antthinking', 'deepthink', '思考'],
];
/** What calls of tools are called. */
const CALL_NAMES = [
  ...['tool_call', 'tool_calls', 'toolcall', 'toolcalls', 'tool_use', 'tool_code', 'tool_request'],
  ...['function_call', 'function_calls', 'functioncall', 'execute_tool'],
];
/** What a model takes for the answer of a tool. */
const RESULT_NAMES = [
  ...['tool_response', 'tool_result', 'tool_output', 'tool_outputs', 'observation'],
  ...['function_result', 'function_results'],
];

/**
 * How models mark where something begins and ends, and the tag as which it is read on. NAME is any of the names above,
 * WORD any word. Known from chat templates and from the parsers of vLLM, SGLang and llama.cpp.
 */
export const MARKS: readonly (readonly [opening: string, closing: string, tag?: string])[] = [
  ['<NAME>', '</NAME>'],
  ['&lt;NAME&gt;', '&lt;/NAME&gt;'],
  ['[NAME]', '[/NAME]'],
  ['[BEGIN_NAME]', '[END_NAME]'],
  ['◁NAME▷', '◁/NAME▷'],
  ['＜NAME＞', '＜／NAME＞'],
  ['<|NAME|>', '<|/NAME|>'],
  ['<|begin_NAME|>', '<|end_NAME|>'],
  ['<|begin_of_NAME|>', '<|end_of_NAME|>'],
  // Cohere Command.
  ['<|START_NAME|>', '<|END_NAME|>'],
  ['<|START_ACTION|>', '<|END_ACTION|>', 'tool_call'],
  // Kimi K2, DeepSeek, Step 3.
  ['<|NAME_begin|>', '<|NAME_end|>'],
  ['<｜NAME▁begin｜>', '<｜NAME▁end｜>'],
  ['<｜NAME_begin｜>', '<｜NAME_end｜>'],
  // LFM2, Doubao, InternLM.
  ['<|NAME_start|>', '<|NAME_end|>'],
  ['<|NAMEBegin|>', '<|NAMEEnd|>'],
  ['<|action_start|>', '<|action_end|>', 'tool_call'],
  // Apertus.
  ['<|NAME_prefix|>', '<|NAME_suffix|>'],
  ['<|tools_prefix|>', '<|tools_suffix|>', 'tool_call'],
  // Gemma.
  ['<|NAME>', '<NAME|>'],
  ['<|channel>', '<channel|>', 'think'],
  ['<unused94>', '<unused95>', 'think'],
  ['<start_NAME>', '<end_NAME>'],
  // Kimi K3, PLaMo 3.
  ['<|open|>WORD<|sep|>', '<|close|>WORD<|sep|>'],
  ['<|plamo:begin_WORD:plamo|>', '<|plamo:end_WORD:plamo|>'],
  // openPangu.
  ['[unused16]', '[unused17]', 'think'],
  ['[unused11]', '[unused12]', 'tool_call'],
];

/** Names of thoughts have parts before and behind them in many tags: `<mm:think>`, `<internal_reasoning>`. */
const NAME =
  `(?:(?:(?!begin|start|end|content)[a-z]{2,12}[:_-]){1,2}(?=think|thought|reason|reflect|monologue|cot))?(?:${THOUGHT_NAMES.join('|')})` +
  '(?:(?<=think|thinking|thoughts?|reasoning|cot)[:_-](?!begin|start|end|prefix|suffix)[\\w-]{1,30})?';
const anyOf = (names: readonly string[]): string => `(?:${names.join('|').replaceAll('_', '[_▁]')})`;
const CALL = `(?:\\w{1,20}[:_-])?${anyOf(CALL_NAMES)}`;
const RESULT = anyOf(RESULT_NAMES);
const ATTRIBUTES = '(?:\\s[^<>|]{0,200})?';

/** In brackets people write names, too, but not these in capitals. */
const BRACKETED = [...THOUGHT_NAMES, ...CALL_NAMES]
  .filter((name) => /^(?:think|thought|reasoning|tool_(?:call|request)$)/.test(name))
  .map((name) => name.toUpperCase());

/** A mark wherever it stands. */
function patternOf(mark: string): RegExp {
  const isBracket = mark.startsWith('[');
  const name = isBracket
    ? `${BRACKETED.join('|')}|think(?:ing)?`
    : `(?:${NAME}|${CALL}|${RESULT})${ATTRIBUTES}`;
  const source = mark
    .replace(/[[\]|]/g, '\\$&')
    .replace(/^(<|&lt;)/, '$1\\s*')
    .replace('/', '/\\s*')
    .replace('NAME', `(${name})\\s*`)
    .replace('WORD', `(\\w+${ATTRIBUTES})`);
  return new RegExp(source, isBracket ? 'g' : 'gi');
}

const TAGS = MARKS.flatMap(([opening, closing, tag = '$1']) => [
  { mark: patternOf(opening), tag: `<${tag}>` },
  { mark: patternOf(closing), tag: `</${tag}>` },
]);

/** The text with all those marks as tags. */
const asTags = (text: string): string =>
  /[<[◁＜]|&lt;/.test(text) ? TAGS.reduce((rest, { mark, tag }) => rest.replace(mark, tag), text) : text;

const THOUGHT_TAGS = new RegExp(`<(/?)${NAME}${ATTRIBUTES}>`, 'gi');

const THOUGHTS = '(?:thinking|thoughts?|reasoning|analysis|(?:thought|thinking)[ \\t]+process)';
const ANSWER =
  '(?:final[ \\t]+)?(?:answer|response|reply)(?:[ \\t]+to[ \\t]+(?:the[ \\t]+)?(?:customer|client|user))?';
/** Thoughts under a heading that is nothing else, up to the heading of the answer: bold words, or a line. */
const HEADED = new RegExp(
  `^\\s*(?:\\*\\*${THOUGHTS}:?\\*\\*:?|#{1,4}[ \\t]*${THOUGHTS}:?[ \\t]*(?=\\n)|${THOUGHTS}:)\\s(?:(?!\\n[ \\t]*Action:)[\\s\\S])*?` +
    `\\n[ \\t]*(?:(?:\\*\\*|#{1,4}[ \\t]*)${ANSWER}(?::?\\*\\*:?|:|[ \\t]*(?=\\n))|${ANSWER}:)`,
  'i',
);

/** Thoughts that are set apart as people set a text apart: behind a fold, in a block, under a heading. */
const SET_APART: readonly RegExp[] = [
  /<details\b[^>]{0,200}\breasoning\b[^>]{0,200}>[\s\S]*?(?:<\/details>|$)/gi,
  /<details\b[^>]{0,200}>\s*<summary>[^<]{0,200}(?:think|thought|reason|размышл|мысл)[^<]{0,200}<\/summary>[\s\S]*?(?:<\/details>|$)/gi,
  /```(?:think(?:ing)?|thoughts?|reasoning|analysis)[ \t]*\n[\s\S]*?(?:```|$)/gi,
  // Gemini, without an end.
  /^\s*thought[ \t]*\n[\s\S]*$/,
  // s1, whose answer is a turn of its own; HyperCLOVA X, whose answer is the assistant's second turn.
  /<\|im_start\|>(?:think|thought|analysis|reasoning)\b[\s\S]*?(?=<\|im_start\|>|$)/gi,
  /^[^<]*<\|im_end\|>\s*(?=<\|im_start\|>assistant\s*[^\s<])/,
  /^\s*\/think[ \t]*\n[\s\S]*$/,
  // Inkling.
  /<\|content_thinking\|>[\s\S]*?(?:<\|end_message\|>|$)/g,
  // Granite, whose thoughts are told as if to people.
  /^\s*Here(?:['’]s| is) my thought process:[\s\S]*?(?:Here(?:['’]s| is) my response:|$)/i,
  // Ollama's own program.
  /^\s*Thinking\.\.\.[ \t]*\n[\s\S]*?\.\.\.done thinking\./,
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
  for (const match of text.matchAll(THOUGHT_TAGS)) {
    const isEnd = match[1] === '/';
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
  // Hermes, Qwen, GLM, MiniMax, Claude, and all whose marks are read as tags; of nested ones the inner.
  new RegExp(
    `<${CALL}(?![\\w|])[^>]{0,100}>(?!\\s*<${CALL}\\b)([\\s\\S]*?)(?:</${CALL}>|<\\|(?:end|im_end|eot_id|eom_id|message_sep)\\|>|$)`,
    'gi',
  ),
  /(<(?:\w{1,20}:)?(?:function|invoke|(?:tools)?call)(?:=|\s+(?:name|tool)\s*=)[\s\S]*?(?:<\/(?:\w{1,20}:)?(?:function|invoke|call)>|$))/gi,
  // Mistral, Llama.
  /\[TOOL_CALLS\]([\s\S]*?)(?=\[TOOL_CALLS\]|<\/s>|$)/g,
  /<\|python_tag\|>([\s\S]*?)(?:<\|eom_id\|>|<\|eot_id\|>|$)/gi,
  // Gemini, and models that repeat what a program showed them.
  /```(?:tool_code|tool_calls?|function_call)\s*\n([\s\S]*?)(?:```|$)/gi,
  /^[ \t]*(declaration:default_api[.:][\s\S]*)$/gim,
  /\[(?:Calling tool|Tool call):\s*([\s\S]*?)\](?=\s*$|\s*\n)/gim,
  // Phi.
  /\bfunctools[ \t]*(\[\s*\{[\s\S]{0,4000}\])/g,
  // Inkling, GigaChat, HyperCLOVA X, Qwen-Agent, Functionary.
  /[\w-]{0,64}<\|content_invoke_tool_(?:json|text)\|>([\s\S]*?)(?:<\|end_message\|>|$)/g,
  /\bfunction call(?:<\|role_sep\|>|(?=\n\s*\{))([\s\S]*?)(?:<\|message_sep\|>|$)/g,
  /-> ?tool\/function_call\n([\s\S]*?)(?:<\|im_end\|>|$)/g,
  /✿FUNCTION✿:?([\s\S]*?)(?:(?=✿FUNCTION✿)|✿RE[\s\S]*$|$)/g,
  /^>>>(?!all\b)([\w.-]+\n[\s\S]*?)(?=\n>>>|$(?![\s\S]))/gm,
  // gpt-oss, where a server has taken the tokens out and left their words.
  /(?:^|\n)[ \t]*(?:assistant)?[ \t]*(?:commentary|analysis)?[ \t]*to=((?:functions\.)?[\w.-]+\s*(?:(?:commentary|json|code)\s*)*\{(?:(?!\n[ \t]*(?:assistant|to=))[\s\S])*?\})(?=\s*$|\s*assistant)/gi,
  // A chain of the kind "Thought, Action, Action Input". What it observes itself is made up, and so is all that follows.
  /(?:^[ \t]*Thought:.*\n(?:(?![ \t]*(?:Action|Final Answer):).*\n){0,40})?^[ \t]*Action:[ \t]*([\w.-]+[ \t]*\n[ \t]*Action Input:[\s\S]*?)(?:\n[ \t]*Observation:[\s\S]*|$(?![\s\S]))/gim,
  /^[ \t]*Action:[ \t]*([\w.-]+\([^\n]*\))[ \t]*$/gim,
  // Command R.
  /(?:^[ \t]*Thought:.*\n)?^[ \t]*Action:\s*```(?:json)?[ \t]*\n([\s\S]*?)(?:```|$(?![\s\S]))/gim,
];
/** Between the name and the arguments, in some of those. */
const SEPARATORS =
  /\s*\b(?:commentary\s*)?(?:json|code)\s*(?=\{)|<\|tool_call_argument_begin\|>|<｜tool[▁_]sep｜>|<\|plugin\|>|<\|plamo:constrain\|>\w*<\|plamo:msg\|>|\[CALL_ID\]\w+(?=\[ARGS\])|\s+with arguments:\s*|\n\s*Action Input:\s*|\s*✿ARGS✿:?\s*/gi;
const KIND = /^\s*function(?=<｜tool[▁_]sep｜>)<｜tool[▁_]sep｜>/;
/**
 * What cannot be read to its end: a call of gpt-oss amid words, between whose name and arguments anything may stand
 * (livekit/agents-js#1632), and a chain of thoughts that came to no answer.
 */
const UNREADABLE = /(?:assistant\s+)?\bto=functions\.[\s\S]*$|^\s*Thought:[\s\S]*$/;

/** What a model takes for the answer of a tool, and what it marks its calls with besides. */
const LEFTOVERS = [
  new RegExp(`<(${RESULT})\\b[^>]{0,100}>[\\s\\S]*?(?:</\\1>|$)`, 'gi'),
  new RegExp(
    `</?(?:${CALL}|${RESULT}|(?:\\w{1,20}[:_])?(?:tools?(?:_\\w+|(?:call|message|tools)+)?|functions?|invoke|parameters?|arg_key|arg_value))\\b[^<>]{0,100}>|</?(?:action|call|argument)(?:\\s+\\w+=[^<>]{0,100})?>`,
    'gi',
  ),
  /\[\/?(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|ARGS|CALL_ID)\]/g,
  // Around the answer itself.
  /<\/?(?:answer|response|final_?answer|final|output|reply|message)>/gi,
  /^[ \t]*Final Answer:[ \t]*|^>>>all[ \t]*\n/gim,
  /```\w*\s*```/g,
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
  const read = rest.replace(UNREADABLE, '');
  return { text: read, isBroken: isBroken || read !== rest };
}

const TURN = '(?:assistant|model|user|system|tool|developer|answer)';
/** Tokens that end a turn or begin one, with the name of its speaker. */
const TURNS = new RegExp(
  [
    `<\\|(?:im_start|start|start_header_id|header_start|start_of_role|role_start|turn)\\|>[ \\t]*${TURN}?[ \\t]*(?:<\\|(?:end_header_id|header_end|end_of_role|role_end|im_sep|message)\\|>)?`,
    `<\\|(?:im_end|end|eot_id|eom_id|endoftext|end_of_text|return|call|eot|eom|end_of_turn|endofturn|end_of_msg|im_sep|message_sep|END_OF_TURN_TOKEN|END_RESPONSE|END_TEXT|end_message)\\|>`,
    `<\\|(?:im_)?(?:assistant|user|system|observation|START_RESPONSE|START_TEXT|START_OF_TURN_TOKEN|CHATBOT_TOKEN|USER_TOKEN|SYSTEM_TOKEN)(?:_(?:start|end))?\\|>(?:${TURN}?<\\|im_middle\\|>)?`,
    `(?:^\\s*${TURN})?<\\|role_sep\\|>`,
    `<(?:start_of_turn>|\\|turn>|seed:bos>|extra_id_1>)[ \\t]*${TURN}?|<(?:end_of_turn|turn\\||seed:eos|end_of_utterance)>`,
    `\\]~b\\][ \\t]*(?:ai|${TURN})?|\\[e~\\[|\\[\\|(?:endofturn|assistant|user|system)\\|\\]`,
    '<\\/?s>|<(?:eos|bos|eod|eop|sop)>|\\[\\/?INST\\]|\\[EOT\\]|<<\\/?SYS>>|<\\/?(?:assistant|user|human)>',
    '<｜(?:end▁of▁sentence|begin▁of▁sentence|User|Assistant|EOT)｜>',
  ].join('|'),
  'gi',
);
/** Any other token. */
const TOKENS =
  /<\|[^|<>\n]{1,60}\|>|<｜[^｜<>\n]{1,60}｜>|\[\|\w{1,40}\|\]|<(?:unk|pad|mask|unused\d+|(?:reserved|SPECIAL|extra_id)_\w{1,40}|0x[0-9A-F]{2})>|\[(?:gMASK|sMASK|EOS|BOS|PAD|unused\d+)\]|\]~!b\[/g;
const SPEAKER = /^\s*assistant\s*(?::\s|\n)/i;
/** A turn that the model has made up for somebody else. */
const NEXT_TURN =
  /\n[ \t]*(?:#{1,4}[ \t]*)?(?:Human|User|Customer)[ \t]*:(?=[\s\S]{0,4000}?\n[ \t]*(?:#{1,4}[ \t]*)?(?:Assistant|AI|Bot)[ \t]*:)[\s\S]*$|\n[ \t]*(?:Human:|#{2,4}[ \t]*(?:Instruction|Human|User|Input)[ \t]*:)[\s\S]*$/;

const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u;

/** Whose turn begins after a token. */
const OTHERS = /user|human|system|tool|developer|observation|\[INST\]|<<\/?SYS>>/i;
const ENDS =
  /^<\|(?:im_end|end|eo[tm]|message_sep|return|call|\w+_end)|^<(?:end_of|turn\||\/s|seed:eos|eos|eod|eop|\/assistant)|^<｜(?:end|EOT)|^\[(?:e~|EOT|\|end)/i;

/**
 * The model's first turn that says or calls anything: what it writes after its end, or for others, is not for anybody.
 */
function firstTurn(text: string, isCalling: boolean): string {
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
    if (isCalling && !isOurs) break;
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
const LETTER = '[\\p{L}\\p{N}_]';
const CUT_MARK = new RegExp(
  [
    // Between a mark's own marks.
    `(?:<details\\b[^<>]{0,200}>\\s*(?:<summary>[^<]{0,200}(?:<\\/?\\w{0,9})?|<\\w{0,9})?`,
    '<\\|(?:open|close)\\|>[^<>]{0,100}(?:<\\|?\\w{0,3})?',
    `<\\s*/?\\s*(?:${NAME}|${CALL}|${RESULT}|(?:\\w+:)?(?:function|invoke|parameter|call|argument)|details)(?!${LETTER})[^<>]{0,200}`,
    `<(?:[/|｜][^<>]{0,60}|0x\\w{0,2}|\\p{L}(?:${LETTER}|[:▁-]){0,40}[|｜]?)?`,
    `&lt;\\/?(?:${LETTER}|:){0,20}(?:&\\w{0,2})?`,
    '\\[(?:\\/[A-Z_]{0,20}|[A-Z_]{3,20}\\d{0,2}|\\|\\w{0,20}\\|?|e~)',
    `[◁＜][/／]?${LETTER}{0,20}`,
    '<\\]\\w{0,7}\\[?>?|\\]~!?b?)$',
  ].join('|'),
  'iu',
);

/** What nobody sees, and what may stand within a mark, as MiniMax M3 has it. A joiner is part of signs and of words: it is left out in marks. */
const UNSEEN = /[\0\u00ad\u200b\u2060\ufeff]|\]<\]minimax\[>\[/g;
const JOINED_MARK = /<[\w\s/:|\u200c-\u200f\u2061-\u2064]{1,60}(?:>|$)/g;
const JOINERS = /[\u200c-\u200f\u2061-\u2064]/g;
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
    .replace(JOINED_MARK, (mark) => mark.replace(JOINERS, ''))
    .replace(DSML, '<$1')
    .toWellFormed()
    .replace(/[^\S\n]{20,}/g, ' ')
    .replace(/(?:[^\S\n]*\n){3,}/g, '\n\n')
    .trim();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = text;
    const final = finalChannel(asTags(text.replace(CUT_MARK, '')), calls);
    const called = takeCalls(withoutThoughts(markTagged(final.text, tools)), tools, calls);
    isBroken ||= final.isBroken || called.isBroken;
    const unmarked = takeUnmarkedCalls(called.text, tools, calls);
    text = firstTurn(unmarked.text, calls.length > 0 || isBroken);
    const opened = withoutEnvelope(text);
    if (opened) calls.push(...opened.calls);
    isBroken ||= unmarked.isBroken || opened === null || CUT_CALL.test(opened.text);
    text = (opened?.text ?? '')
      .replace(CUT_CALL, '')
      .replace(/\n\s*\n\s*\n/g, '\n\n')
      .trim();
    if (text === before) return { text, calls, isBroken };
  }
  return { text: '', calls, isBroken: text !== '' || isBroken };
}
