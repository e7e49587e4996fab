import { isObject } from '@app/contracts/json.object';
import { withoutMarkdown } from './markdown.text';
import { takeUnmarkedCalls } from './unmarked.calls';
import { callsIn, jsonCalls, namedCall, PYTHON, taggedCall, TAKEN, type WrittenCall } from './written.calls';

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
  ...['analysis', 'scratchpad', 'rationale', 'antthinking', 'deepthink', '思考'],
];
/** Those that people write in angle brackets, too, for something to fill in: an opening mark alone is not enough. */
const EVERYDAY_NAME = /^(?:reason|reflection|cot|analysis|rationale)$/i;
/** What calls of tools are called. */
const CALL_NAMES = [
  ...['tool_call', 'tool_calls', 'toolcall', 'toolcalls', 'tool_use', 'tool_code', 'tool_request'],
  ...[
    'function_call',
    'function_calls',
    'functioncall',
    'execute_tool',
    'use_tool',
    'call_tool',
    'invoke_tool',
  ],
];
/** What a model takes for the answer of a tool. */
const RESULT_NAMES = [
  ...['tool_response', 'tool_result', 'tool_output', 'tool_outputs', 'observation'],
  ...['function_result', 'function_results'],
];
/** What the answer itself is called in the marks around it. */
const ANSWER_NAMES = [
  ...['answer', 'response', 'final_answer', 'finalanswer', 'final', 'output', 'reply', 'message'],
];

/**
 * How models mark where something begins and ends, and the tag as which it is read on. NAME is any of the names above,
 * WORD any word. Known from chat templates and from the parsers of vLLM, SGLang and llama.cpp.
 */
export const MARKS: readonly (readonly [opening: string, closing: string, tag?: string])[] = [
  ['<NAME>', '</NAME>'],
  ['[NAME]', '[/NAME]'],
  ['[BEGIN_NAME]', '[END_NAME]'],
  ['◁NAME▷', '◁/NAME▷'],
  ['<|NAME|>', '<|/NAME|>'],
  ['<|NAME|>', '</|NAME|>'],
  ['<|begin_NAME|>', '<|end_NAME|>'],
  ['<|begin_of_NAME|>', '<|end_of_NAME|>'],
  ['<|start_of_NAME|>', '<|end_of_NAME|>'],
  ['<start_of_NAME>', '<end_of_NAME>'],
  // Cohere Command.
  ['<|START_NAME|>', '<|END_NAME|>'],
  ['<|START_ACTION|>', '<|END_ACTION|>', 'tool_call'],
  // Kimi K2, DeepSeek, Step 3.
  ['<|NAME_begin|>', '<|NAME_end|>'],
  // LFM2, Doubao, InternLM.
  ['<|NAME_start|>', '<|NAME_end|>'],
  ['<|NAMEBegin|>', '<|NAMEEnd|>'],
  ['<|action_start|>', '<|action_end|>', 'tool_call'],
  // Apertus.
  ['<|NAME_prefix|>', '<|NAME_suffix|>'],
  ['<|tools_prefix|>', '<|tools_suffix|>', 'keyed_tool_call'],
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

/**
 * Names of thoughts have parts before and behind them in many tags: `<mm:think>`, `<innerMonologue>`,
 * `<reasoning_content>`. Only known parts are: `<return_reason>` is something to fill in.
 */
const PREFIXES = ['internal', 'inner', 'hidden', 'private', 'longcat', 'deep', 'chain_of', 'train_of'];
const PREFIX = `(?:${PREFIXES.join('|').replaceAll('_', '[_-]?')})[_-]?`;
const SUFFIXED = '(?:think|thinking|thoughts?|reason|reasoning|cot)';
const NAME =
  `(?:[a-z]{2,12}:)?(?:${PREFIX}(?=think|thought|reason|reflect|monologue))?` +
  `(?:${THOUGHT_NAMES.join('|')})` +
  `(?:(?<=${SUFFIXED})(?::[\\w-]{1,40}|[ \\t]process|[_-](?:process|content|steps?|block|text|trace|on|off|fast|faster|(?:never|budget)_\\w{1,50})))?`;
const anyOf = (names: readonly string[]): string => `(?:${names.join('|')})`;
const CALL = `(?:\\w{1,20}[:_-])?${anyOf(CALL_NAMES)}`;
const RESULT = anyOf(RESULT_NAMES);
const ATTRIBUTES = '(?:\\s+[\\w:-]{1,30}\\s*=[^<>|]{0,200}|\\s*/)?';

/** In brackets people write names, too, but not these in capitals. */
const BRACKETED = [...THOUGHT_NAMES, ...CALL_NAMES]
  .filter((name) => /^(?:think|thought|reasoning|tool_(?:call|request)$)/.test(name))
  .map((name) => name.toUpperCase());

/** What people set apart with double brackets is no mark: `<<Reflection>>`. */
const NOT_DOUBLE = '(?<!<(?=<[^<>/]{1,60}>>))';

/** A mark wherever it stands. */
function patternOf(mark: string): RegExp {
  const isBracket = mark.startsWith('[');
  const name = isBracket ? BRACKETED.join('|') : `(?:${NAME}|${CALL}|${RESULT})${ATTRIBUTES}`;
  const source = mark
    .replace(/[[\]|]/g, '\\$&')
    .replace(/[/／]/, '[/／]\\s*')
    .replace(/^<(.*NAME>)$/, `${NOT_DOUBLE}<\\s*$1`)
    .replace('NAME', `(${name})\\s*`)
    .replace('WORD', `(\\w+${ATTRIBUTES})`);
  return new RegExp(source, isBracket ? 'g' : 'gi');
}

const TAGS = MARKS.flatMap(([opening, closing, tag = '$1']) => [
  { mark: patternOf(opening), tag: `<${tag}>` },
  { mark: patternOf(closing), tag: `</${tag}>` },
]);

/**
 * Names with any part before them, and everyday names of what is for machines, which are those of thoughts if a mark
 * closes them: people close nothing.
 */
const MAYBE_THOUGHTS =
  /<(\/?)(inner|plan(?:ning)?|context|search|meta|system(?:[_-]reminder)?|размышлени[ея]|рассуждени[ея]|мысл[иь]|(?:[a-z]{2,12}[_-]){1,3}(?:think(?:ing)?|thoughts?|reasoning|reflection|monologue))>/giu;

const IN_BRACKETS = new RegExp(`(?<!\\{)[[{]([/／]?)(${NAME}|${anyOf(CALL_NAMES)})[\\]}]`, 'gi');
/** Before and after something to fill in: it stands amid a clause, as `Write [think] here.` has it. */
const CLAUSE_BEFORE = /[\p{L}\p{N},:][ \t]{1,3}["'«“(]?$|[\p{L}\p{N},:][ \t]{0,3}["'«“(]$/u;
const CLAUSE_AFTER = /^(?:[ \t]+[\p{L}\p{N}]|["'»”).,;:!?]|[ \t]*$)/u;

const isAmidClause = (text: string, at: number, mark: string): boolean =>
  CLAUSE_BEFORE.test(text.slice(Math.max(0, at - 8), at)) &&
  CLAUSE_AFTER.test(text.slice(at + mark.length, at + mark.length + 8));

/**
 * Names in brackets and in any letters as tags. People write them as well, and close none: so one alone is a mark only if
 * it says `think`, and not amid a clause. What calls are called, they do not write.
 */
function withoutBrackets(text: string): string {
  const names = { '': new Set<string>(), '/': new Set<string>() };
  for (const [, slash = '', name = ''] of text.matchAll(IN_BRACKETS))
    names[slash === '' ? '' : '/'].add(name.toLowerCase());
  return text.replace(IN_BRACKETS, (mark, slash: string, name: string, at: number) => {
    const [known, tag] = [name.toLowerCase(), slash === '' ? '' : '/'];
    if (CALL_NAMES.includes(known)) return name === name.toUpperCase() ? mark : `<${tag}tool_call>`;
    if (names[''].has(known) && names['/'].has(known)) return `<${tag}think>`;
    if (!/^think(?:ing)?$/.test(known)) return mark;
    return tag === '' && isAmidClause(text, at, mark) ? mark : `<${tag}think>`;
  });
}

/** The text with all those marks as tags. */
function asTags(text: string): string {
  if (!/[<[{◁]/.test(text)) return text;
  return withoutBrackets(TAGS.reduce((rest, { mark, tag }) => rest.replace(mark, tag), text));
}

/** After thoughts the answer may have a mark of its own. */
const THOUGHT_TAGS = new RegExp(
  `${NOT_DOUBLE}<(/?)(${NAME})${ATTRIBUTES}>(?:\\s*<(?:${ANSWER_NAMES.join('|')})>)?`,
  'gi',
);

const THOUGHT_WORD = '(?:thinking|thought|reasoning|(?:thought|thinking)[ \\t]+process)';
const THOUGHT_WORDS = `(?:${THOUGHT_WORD}|thoughts|analysis)`;
const RECEIVER = '(?:[ \\t]+to[ \\t]+(?:the[ \\t]+)?(?:customer|client|user))?';
const ANSWER = `(?:final[ \\t]+)?(?:answer|response|reply)${RECEIVER}`;
/** Up to its heading, but for calls. */
const UNTIL = '\\s(?:(?!\\n[ \\t]*Action:)[\\s\\S])*?\\n[ \\t]*';
const SET_HEADING = `(?:\\*\\*|#{1,4}[ \\t]*)${ANSWER}(?::?\\*\\*:?|:|[ \\t]*(?=\\n))`;
/**
 * Thoughts under a heading that is nothing else, up to the heading of the answer: bold words, or a line. An analysis and
 * a reply may be what is sold, and how to buy it: those are headings only if they are set so.
 */
const HEADED = new RegExp(
  [
    `^\\s*(?:\\*\\*${THOUGHT_WORDS}:?\\*\\*:?|#{1,4}[ \\t]*${THOUGHT_WORDS}:?[ \\t]*(?=\\n)|thoughts:)${UNTIL}${SET_HEADING}`,
    `^\\s*(?:\\*\\*${THOUGHT_WORD}:?\\*\\*:?|#{1,4}[ \\t]*${THOUGHT_WORD}:?[ \\t]*(?=\\n)|${THOUGHT_WORD}:)${UNTIL}(?:${SET_HEADING}|${ANSWER}:)`,
    `^\\s*thoughts:${UNTIL}(?:final[ \\t]+)?answer${RECEIVER}:`,
  ].join('|'),
  'i',
);

/** Up to the next token of a turn. */
const NO_TURN = '(?:(?!<\\|(?:im_start|im_end|endofturn|stop)\\|>)[\\s\\S])*';

/** Thoughts that are set apart as people set a text apart: in a comment, behind a fold, in a block, under a heading. */
const SET_APART: readonly RegExp[] = [
  /<!--[\s\S]*?(?:-->|$)/g,
  /<details\b[^>]{0,200}\breasoning\b[^>]{0,200}>[\s\S]*?(?:<\/details>|$)/gi,
  /<details\b[^>]{0,200}>\s*<summary>[^<]{0,200}(?:think|thought|reason|размышл|мысл)[^<]{0,200}<\/summary>[\s\S]*?(?:<\/details>|$)/gi,
  /```(?:think(?:ing)?|thoughts?|reasoning|analysis)[ \t]*\n[\s\S]*?(?:```|$)/gi,
  // Gemini, without an end.
  /^\s*thought[ \t]*\n[\s\S]*$/,
  // s1, whose answer is a turn of its own; HyperCLOVA X, whose answer is the assistant's second turn after thoughts.
  /<\|(?:im_start|assistant)\|>(?:think|thought|analysis|reasoning)\b[\s\S]*?(?=<\|(?:im_start|assistant)\|>|$)/gi,
  /^\s*\/think[ \t]*\n[\s\S]*?(?:<\|im_end\|>\s*(?=<\|im_start\|>assistant\s*[^\s<])|$)/,
  // The same where the request has their beginning: two turns of the assistant that are whole, or a call in the second one.
  new RegExp(
    `^${NO_TURN}<\\|im_end\\|>\\s*<\\|im_start\\|>assistant(?:(?= -> ?tool/function_call\\n)|[ \\t]*\\n(?=\\s*[^\\s<]${NO_TURN}(?:<\\|(?:endofturn|stop)\\|>|<\\|im_end\\|>\\s*(?:$|<\\|(?:endofturn|stop)\\|>))))`,
  ),
  // And where a server has taken the tokens out. A line of a list has no full stop.
  /^(?:(?!<\||\n[ \t]*assistant[ \t]*\n)[\s\S])*[.!?。…]["'”»)]?[ \t]*\n[ \t]*assistant[ \t]*\n(?=\s*\S)/,
  // Inkling.
  /<\|content_thinking\|>[\s\S]*?(?:<\|end_message\|>|$)/g,
  // Granite, whose thoughts are told as if to people.
  /^\s*Here(?:['’]s| is) my thought process:[\s\S]*?(?:Here(?:['’]s| is) my response:|$)/i,
  // Ollama's own program.
  /^\s*Thinking\.\.\.[ \t]*\n[\s\S]*?\.\.\.done thinking\./,
  HEADED,
];

const MARKED_CALL = new RegExp(
  `<${CALL}(?![\\w|])[^>]{0,100}>(?!\\s*<${CALL}\\b)([\\s\\S]*?)(?:</${CALL}>|(?=<\\|(?:end|im_end|eot_id|eom_id|message_sep)\\|>)|$)`,
  'gi',
);
const NAMED_CALL =
  /(<(?:\w{1,20}:)?(?:function|invoke|(?:tools)?call)(?:=|\s+(?:name|tool)\s*=)[\s\S]*?(?:<\/(?:\w{1,20}:)?(?:function|invoke|(?:tools)?call)>|$))/gi;
const IN_CALL = new RegExp(`${MARKED_CALL.source}|${NAMED_CALL.source}`, 'gi');

/** Names that may be those of thoughts, and are closed, as those of thoughts. Within a call they are arguments. */
function withSureThoughts(text: string): string {
  const marks = [...text.matchAll(MAYBE_THOUGHTS)];
  const closed = new Set(marks.filter(([, slash]) => slash !== '').map(([, , name]) => name));
  if (closed.size === 0) return text;
  const calls = [...text.matchAll(IN_CALL)].map(({ index, 0: call }) => [index, index + call.length]);
  return text.replace(MAYBE_THOUGHTS, (mark, slash: string, name: string, at: number) =>
    closed.has(name) && !calls.some(([begin = 0, end = 0]) => at > begin && at < end)
      ? `<${slash}think>`
      : mark,
  );
}

/**
 * Takes thoughts out. Many templates open them in the request, so that only the closing mark is in the answer: what
 * stands before a lone closing mark is thought (deepseek-ai/DeepSeek-R1#352). One that is never closed goes on to the
 * end; if its name is an everyday word, nobody knows; within a call it is an argument.
 */
function withoutThoughts(given: string): { text: string; isBroken: boolean } {
  let depth = 0;
  let from = 0;
  let kept = '';
  let isSure = true;
  const text = withSureThoughts(given);
  const calls = [...text.matchAll(IN_CALL)].map(({ index, 0: call }) => [index, index + call.length]);
  for (const match of text.matchAll(THOUGHT_TAGS)) {
    const isEnd = match[1] === '/';
    const isArgument =
      depth === 0 &&
      EVERYDAY_NAME.test(match[2] ?? '') &&
      calls.some(([begin = 0, end = 0]) => match.index > begin && match.index < end);
    if (isArgument) continue;
    if (depth === 0) {
      kept += text.slice(from, match.index);
      isSure = !EVERYDAY_NAME.test(match[2] ?? '');
    }
    if (!isEnd) depth += 1;
    else if (depth === 0) kept = '';
    else depth -= 1;
    from = match.index + match[0].length;
  }
  const visible = depth === 0 ? kept + text.slice(from) : kept;
  return {
    text: SET_APART.reduce((rest, pattern) => rest.replace(pattern, ''), visible),
    isBroken: depth > 0 && !isSure,
  };
}

/** The channels of gpt-oss ("harmony"): only `final` is for people, and a call is addressed to its tool. */
const CHANNEL =
  /<\|channel\|>([^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>([\s\S]*?)(?=<\|(?:end|call|return|start|channel)\|>|$)/gi;
/** The same where a server has taken the tokens out and left their words. */
const CHANNEL_WORDS =
  /^\s*(?:assistant)?\s*(?:(?:analysis|commentary)(?=[^a-z:])[\s\S]*?assistant(?:\s*\n\s*)?final|(?:analysis|commentary)[ \t]*\n[\s\S]*?assistant\s+final)(?:\s*(?:message|json)\b)?/;
const ADDRESSEE = /to=(?:functions\.)?([\w.-]+)/;

/** Where the request has the first token. */
const OPENED_CHANNEL =
  /^\s*(?=(?:analysis|commentary|final)\b[^<]{0,100}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>)/i;
/** After thoughts the answer may have no channel. */
const AFTER_CHANNELS = /<\|end\|>(?!\s*(?:<|$))([\s\S]*)$/i;

function finalChannel(given: string, calls: WrittenCall[]): { text: string; isBroken: boolean } {
  const text = given.replace(OPENED_CHANNEL, '<|channel|>');
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
  const after = final.length === 0 ? AFTER_CHANNELS.exec(moved)?.[1] : undefined;
  return { text: after ?? final.join('\n\n'), isBroken };
}

/** Where calls begin and end. A call that is never closed goes on to the end. */
const CALLS: readonly RegExp[] = [
  // Hermes, Qwen, GLM, MiniMax, Claude, and all whose marks are read as tags; of nested ones the inner.
  MARKED_CALL,
  NAMED_CALL,
  // Mistral, Llama.
  /\[TOOL_CALLS\]([\s\S]*?)(?=\[TOOL_CALLS\]|<\/s>|$)/g,
  /<\|python_tag\|>([\s\S]*?)(?=<\|eom_id\|>|<\|eot_id\|>|$)/gi,
  // Gemini, and models that repeat what a program showed them.
  /```(?:tool_code|tool_calls?|function_call)\s*\n([\s\S]*?)(?:```|$)/gi,
  /^[ \t]*(declaration:default_api[.:][\s\S]*)$/gim,
  /\[(?:Calling tool|Tool call):\s*([\s\S]*?)\](?=\s*$|\s*\n)/gim,
  // Phi.
  /\bfunctools[ \t]*(\[\s*\{[\s\S]{0,4000}\])/g,
  // Inkling, GigaChat, HyperCLOVA X, Qwen-Agent, Functionary.
  /[\w-]{0,64}<\|content_invoke_tool_(?:json|text)\|>([\s\S]*?)(?:<\|end_message\|>|$)/g,
  /\bfunction call(?:<\|role_sep\|>|(?=\n\s*\{))([\s\S]*?)(?:<\|message_sep\|>|$)/g,
  /-> ?tool\/function_call\n([\s\S]*?)(?=<\|im_end\|>|$)/g,
  /✿FUNCTION✿:?([\s\S]*?)(?:(?=✿FUNCTION✿)|✿RE[\s\S]*$|$)/g,
  // gpt-oss, where a server has taken the tokens out and left their words.
  /(?:^|\n)[ \t]*(?:assistant)?[ \t]*(?:commentary|analysis)?[ \t]*to=((?:functions\.)?[\w.-]+\s*(?:(?:commentary|json|code)\s*)*\{(?:(?!\n[ \t]*(?:assistant|to=))[\s\S])*?\})(?=\s*$|\s*assistant)/gi,
  // A chain of the kind "Thought, Action, Action Input". What it observes itself is made up, and so is all that follows.
  /(?:^[ \t]*Thought:.*\n(?:(?![ \t]*(?:Action|Final Answer):).*\n){0,40})?^[ \t]*Action:[ \t]*((?!(?:None|N\/A)\b)[\w.-]+[ \t]*\n[ \t]*Action Input:[\s\S]*?)(?:\n[ \t]*Observation:[\s\S]*|$(?![\s\S]))/gim,
  // Command R.
  /(?:^[ \t]*Thought:.*\n)?^[ \t]*Action:\s*```(?:json)?[ \t]*\n([\s\S]*?)(?:```|$(?![\s\S]))/gim,
];
/** Those that people write, too: calls only with the name of a tool, or with arguments. */
const CALLS_OF_OURS: readonly RegExp[] = [
  /^>>>([\w.-]+\n[\s\S]*?)(?=\n>>>|$(?![\s\S]))/gm,
  /^[ \t]*Action:[ \t]*([\w.-]+\([^\n]*\))[ \t]*$/gim,
  /^[ \t]*(?:(?:Calling|Using|Invoking)[ \t]+(?:the[ \t]+)?(?:tool|function):?|(?:Tool|Function)[ \t]+call:)[ \t]*([\w.-]+[^\n{]{0,100}(?:\n?[ \t]*\{[\s\S]{0,4000}?\}(?=[ \t]*(?:\n|$(?![\s\S])))|[^\n]*))[ \t]*$/gim,
];
/** Between the name and the arguments, in some of those. */
const SEPARATORS =
  /\s*\b(?:commentary\s*)?(?:json|code)\s*(?=\{)|<\|tool_call_argument_begin\|>|<\|tool_sep\|>|<\|plugin\|>|<\|plamo:constrain\|>\w*<\|plamo:msg\|>|\[CALL_ID\]\w+(?=\[ARGS\])|\s+with arguments(?::\s*|\s+(?=\{))|\n\s*Action Input:\s*|\s*✿ARGS✿:?\s*/gi;
const KIND = /^\s*function<\|tool_sep\|>/;
/**
 * What cannot be read to its end: a call of gpt-oss amid words, between whose name and arguments anything may stand
 * (livekit/agents-js#1632), and a chain of thoughts that came to no answer.
 */
const UNREADABLE =
  /(?:assistant\s+)?\bto=functions\.[\s\S]*$|^\s*Thought:[\s\S]*?\n[ \t]*(?:Action:[ \t]*[\w.-]+[ \t]*(?:[[(\n]|$)|Action Input:|Observation:)[\s\S]*$/;

/** What a model takes for the answer of a tool, and what it marks its calls with besides. */
const LEFTOVERS = [
  new RegExp(`${NOT_DOUBLE}<(${RESULT})${ATTRIBUTES}>[\\s\\S]*?(?:</\\1>|$)`, 'gi'),
  new RegExp(
    `</?(?:${CALL}|${RESULT}|(?:\\w{1,20}:|longcat_)?(?:tools?(?:_\\w+|(?:call|message|tools)+)?|functions?|invoke|parameters?|arg_key|arg_value))(?:=[^<>]{0,100}|${ATTRIBUTES})>`,
    'gi',
  ),
  new RegExp(
    `(?:<(?:action|call|argument)${ATTRIBUTES}>\\s*)+(?=${TAKEN})|(?<=${TAKEN})(?:\\s*</(?:action|call|argument)>)+`,
    'gi',
  ),
  /\[\/?(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|ARGS|CALL_ID)\]/g,
  /^>>>all[ \t]*\n/gim,
];
/** Around the answer itself. */
const ANSWER_MARKS = new RegExp(`<(/?)(${ANSWER_NAMES.join('|')})>`, 'gi');
const ANSWER_IN_BLOCK = new RegExp(
  `^\\s*\`\`\`\\w*\\s*(<(${ANSWER_NAMES.join('|')})>[\\s\\S]*</\\2>)\\s*\`\`\`\\s*$`,
  'i',
);

/** An opening mark within a text, without a closing one, is something to tap on. */
function withoutAnswerMarks(given: string): string {
  const text = given.replace(ANSWER_IN_BLOCK, '$1');
  const ends = new Map<string, number>();
  for (const { 1: slash, 2: name = '', index } of text.matchAll(ANSWER_MARKS))
    if (slash !== '') ends.set(name.toLowerCase(), index);
  const begins = text.search(/\S/);
  return text.replace(ANSWER_MARKS, (mark, slash: string, name: string, at: number) =>
    slash !== '' || at === begins || at < (ends.get(name.toLowerCase()) ?? 0) ? '' : mark,
  );
}

/** A block, which may have nothing but calls that were taken. */
const FENCED = /```(?:(\w*\s*\0[\s\0]*)|[\s\S]*?)```/g;

const FINAL_ANSWER = /^[ \t]*Final Answer:[ \t]*/gim;

/** Of a chain of thoughts that came to an answer nothing but the last one is for people. */
function withoutChain(text: string): string {
  const answer = [...text.matchAll(FINAL_ANSWER)].at(-1)?.index ?? 0;
  const thought = text.search(/^[ \t]*Thought:/im);
  const rest = thought >= 0 && thought < answer ? text.slice(0, thought) + text.slice(answer) : text;
  return rest.replace(FINAL_ANSWER, '');
}

/**
 * Calls in tags that have the tools' own names, in the marks that other calls have: their arguments are no thoughts. If
 * the name is an everyday word, only arguments, or an end, make it a call.
 */
function markTagged(text: string, tools: ReadonlySet<string>): string {
  if (tools.size === 0) return text;
  const names = [...tools].map((name) =>
    name.includes('_') ? name : `${name}(?=>(?:\\s*\\{|(?:\\s*\\n\\s*)?<|\\s*</${name}>))`,
  );
  const tagged = new RegExp(`<(${names.join('|')})>([\\s\\S]*?)(?:</\\1>|$)`, 'g');
  return text.replace(
    tagged,
    (_, name: string, body: string) => `<tool_call>${taggedCall(name, body) ?? '?'}</tool_call>`,
  );
}

function takeCalls(
  text: string,
  tools: ReadonlySet<string>,
  calls: WrittenCall[],
): { text: string; isBroken: boolean } {
  let isBroken = false;
  let rest = text;
  for (const pattern of [...CALLS, ...CALLS_OF_OURS]) {
    rest = rest.replace(pattern, (whole: string, body: string) => {
      const call = body.replaceAll(TAKEN, '').replace(KIND, '').replace(SEPARATORS, ' ').trim();
      const [name = '', given] = /^[\w.-]*(?=[\s(]*(\{|\w+\s*=)?)/.exec(call) ?? [];
      if (CALLS_OF_OURS.includes(pattern) && !tools.has(name) && given === undefined) return whole;
      if (tools.has(call)) calls.push({ name: call, input: '{}' });
      else if (call !== '') {
        const read = callsIn(call, whole.startsWith('<keyed_'));
        if (read) calls.push(...read);
        else isBroken = true;
      }
      return `\n${TAKEN}\n`;
    });
  }
  for (const pattern of LEFTOVERS) rest = rest.replace(pattern, '');
  rest = withoutChain(withoutAnswerMarks(rest)).replace(FENCED, (fenced: string, taken?: string) =>
    taken === undefined ? fenced : TAKEN,
  );
  rest = rest.replaceAll(`${TAKEN}\n`, TAKEN);
  const read = rest.replace(UNREADABLE, '');
  return { text: read, isBroken: isBroken || read !== rest };
}

const TURN = '(?:assistant|model|user|system|tool|developer|answer)';
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
    `(?<!\\S[ \\t]{1,3}(?=<s>(?:[ \\t,.;)]|$)))<s>(?!\\s*[$€£₸₽\\d][^<>\\n]{0,40}</s>)|(?<!<s>\\s*[$€£₸₽\\d][^<>\\n]{0,40})</s>|(?<![\\p{L}\\p{N},:/@("'=-][ \\t]?)</?(?:assistant|user|human)>`,
    '<(?:eos|bos|eod|eop|sop)(?:_token)?>|\\[\\/?INST\\]|\\[EOT\\]|\\[/s\\]|<<\\/?SYS>>',
  ].join('|'),
  'giu',
);
/** Any other token. */
const TOKENS =
  /<\|[^|<>\n]{1,60}\|>|\[\|\w{1,40}\|\]|<(?:unk|pad|mask|unused\d+|(?:reserved|SPECIAL|extra_id)_\w{1,40}|0x[0-9A-F]{2})>|\[(?:gMASK|sMASK|EOS|BOS|PAD|unused\d+)\]|\]~!b\[/g;
const SPEAKER = /^\s*assistant\s*(?::\s|\n)/i;
/** A turn that the model has made up for somebody else. */
const NEXT_TURN =
  /\n[ \t]*(?:#{1,4}[ \t]*)?(?:Human|User|Customer)[ \t]*:(?=[\s\S]{0,4000}?\n[ \t]*(?:#{1,4}[ \t]*)?(?:Assistant|AI|Bot)[ \t]*:)[\s\S]*$|(?:(?!^)\n[ \t]*Human:|\n[ \t]*#{2,4}[ \t]*(?:Instruction|Human|User|Input)[ \t]*:|(?<=[.!?…。]["'”»)]?)[ \t]*\n\s{0,9}[Aa]ssistant[ \t]*:)[\s\S]*$/;

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

/** The text of an answer that is JSON as a whole. Null: JSON without a text, or only a part of it. */
function withoutEnvelope(text: string): { text: string; calls: WrittenCall[] } | null {
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
/** What else stands in angle brackets. */
const OTHER_NAMES = [
  ...['function', 'functions', 'invoke', 'parameter', 'argument', 'arguments', 'call', 'action', 'details'],
  ...['tools', 'tool_name', 'arg_key', 'arg_value', 'tool_arguments', 'summary', 'escape', 'channel', 'turn'],
  ...['mm:', 'seed:', 'minimax:', 'steptml:', 'antml:', 'start_of_turn', 'end_of_turn', 'end_of_utterance'],
  ...['eos', 'bos', 'eod', 'eop', 'sop', 's', 'assistant', 'user', 'human', 'unk', 'pad', 'mask'],
  ...['unused9', 'reserved_', 'special_', 'extra_id_'],
];
const KNOWN_NAMES = [
  ...THOUGHT_NAMES,
  ...CALL_NAMES,
  ...RESULT_NAMES,
  ...ANSWER_NAMES,
  ...PREFIXES,
  ...OTHER_NAMES,
];
/** What stands in square brackets. */
const KNOWN_WORDS = [
  ...BRACKETED.flatMap((name) => [name, `/${name}`, `BEGIN_${name}`, `END_${name}`]),
  ...CALL_NAMES.flatMap((name) => [name, `/${name}`]),
  ...['/THINK', '/TOOL_', 'TOOL_CALLS', 'TOOL_RESULTS', 'AVAILABLE_TOOLS', 'ARGS', 'CALL_ID', '/INST'],
  ...[
    'INST',
    'EOT',
    'unused11',
    'unused12',
    'unused16',
    'unused17',
    'think',
    'Thinking',
    '/think',
    '/Thinking',
    'thinking',
    '/thinking',
    'Calling tool:',
    'Tool call:',
  ],
];
const WHOLE_NAME = new RegExp(
  `^(?:${NAME}|(?:[a-z]{1,20}:)?${anyOf(KNOWN_NAMES.filter((name) => /^\w+$/.test(name)))}|unused\\d{1,3}|(?:reserved|special|extra_id)_\\w{0,40}|0x[0-9a-f]{0,2})$`,
  'i',
);
const BEFORE_NAME = new RegExp(`^(?:[a-z]{2,12}:|(?:start|begin|end)_(?:of_)?)?(?:${PREFIX})?`);
const BEFORE_SUFFIX = new RegExp(`${SUFFIXED}[:_-][\\w-]*$`);
const ATTRIBUTE_NAMES = ['name', 'tool', 'type', 'key', 'index', 'string', 'id', 'class', 'open', 'process'];

/** Whether a text's last words in brackets begin a mark: nothing that has a blank after its bracket does. */
function beginsMark(given: string, names: readonly string[]): boolean {
  const [, name = '', after = ''] =
    /^[/／]?((?:\p{L}|\p{N}|[_:▁-])*)([\s\S]*)$/u.exec(given.toLowerCase()) ?? [];
  if (after === '') {
    if (/^[\d_-]?$/.test(name)) return name === '';
    // Words of a name may be parted by anything.
    const joined = (part: string): string => part.toLowerCase().replace(/[_-]/g, '');
    const parts = [name, name.replace(BEFORE_NAME, '')].map(joined);
    const known = (each: string): boolean => parts.some((part) => joined(each).startsWith(part));
    return names.some(known) || WHOLE_NAME.test(name) || BEFORE_SUFFIX.test(name);
  }
  if (!WHOLE_NAME.test(name) && !names.includes(name)) return false;
  const [, attribute] = /^\s+([a-z_]*)$/.exec(after) ?? [];
  if (attribute !== undefined) return ATTRIBUTE_NAMES.some((each) => each.startsWith(attribute));
  return /^(?:\s*=[^=]*|\s+\w+\s*=[\s\S]*|\s*\/|[|｜]|&(?:gt?)?)$/.test(after);
}

/** The signs of marks, and what they are written as instead. */
const OPENING = String.raw`(?:[<‹〈\u2329⟨＜]|&(?:amp;){0,3}(?:lt|#0*60|#x0*3c);|\\u003c)`;
const CLOSING = String.raw`(?:[>›〉\u232a⟩＞]|&(?:amp;){0,3}(?:gt|#0*62|#x0*3e);|\\u003e)`;
/** A mark that has only begun: of a text that was cut. */
const CUT_PAIR =
  /(?:<details\b[^<>]{0,200}>\s*(?:<summary>[^<]{0,200}(?:<\/?\w{0,9})?|<\w{0,9})?|<\|(?:open|close)\|>[^<>]{0,100}(?:<\|?\w{0,3})?|[<‹〈\u2329⟨＜]\/?[|｜][^<>\s]{0,60}|<!-{0,2}|\]?<\]\w{0,7}\[?>?|\[(?:\/?[A-Z_]{0,3}\|\w{0,20}\|?|e~)|(?<!\[[^[\]\n]{0,100})\]~!?b?)$/i;
const CUT_TAG = new RegExp(String.raw`(?:${OPENING}|◁)((?:(?!${OPENING})[^>›〉\u232a⟩＞◁▷]){0,250})$`, 'i');
const CUT_WORD = /\[(\/?[\w: ]{3,20}|\/[A-Z]{0,2})$/;

function withoutCutMark(text: string, tools: ReadonlySet<string>): string {
  const rest = text.replace(CUT_PAIR, '');
  const tag = CUT_TAG.exec(rest);
  // One letter between others compares: S<M<L.
  const isCompared = /(?<![\p{L}\p{N}])[\p{L}\p{N}]<\p{L}$/u.test(rest.slice(-8));
  if (tag && !isCompared && beginsMark(tag[1] ?? '', [...KNOWN_NAMES, ...tools]))
    return rest.slice(0, tag.index);
  const word = CUT_WORD.exec(rest);
  return word && KNOWN_WORDS.some((each) => each.startsWith(word[1] ?? ''))
    ? rest.slice(0, word.index)
    : rest;
}

const SPELT_MARK = new RegExp(
  String.raw`\\{0,9}${OPENING}([^<>‹›〈〉\u2329\u232a⟨⟩＜＞&\n]{1,200}?)\\{0,9}${CLOSING}`,
  'gi',
);
const PLAIN_MARK = /^<[^\\｜／▁]*>$/;
const BESIDE_NAME = new RegExp(`^/?\\s*(?:(?:start|begin|end)_(?:of_)?)?|${ATTRIBUTES}$`, 'gi');
/** ChatML's, which models remember by halves. */
const CHAT_MARK = /(?:<\|?|\|)\s*(im_(?:start|end))\s*\|?>/gi;

/** Marks in their own signs, whatever they are written in. What else stands between such signs stays as it is. */
const withPlainMarks = (text: string, tools: ReadonlySet<string>): string =>
  text
    .replace(SPELT_MARK, (whole, within: string) => {
      if (PLAIN_MARK.test(whole)) return whole;
      const plain = within
        .replaceAll('\\', '')
        .replaceAll('｜', '|')
        .replaceAll('／', '/')
        .replaceAll('▁', '_')
        .trim();
      const name = plain.replace(BESIDE_NAME, '');
      return /^\/?\||\|$/.test(plain) || WHOLE_NAME.test(name) || tools.has(name) ? `<${plain}>` : whole;
    })
    .replace(CHAT_MARK, '<|$1|>');

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
    isBroken ||= unmarked.isBroken || opened === null || CUT_CALL.test(opened.text);
    text = emptied
      .reduce((rest, pattern) => rest.replace(pattern, ''), (opened?.text ?? '').replace(CUT_CALL, ''))
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
