/** What thoughts are called in the marks around them. */
export const THOUGHT_NAMES = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reason', 'reasoning', 'reflection', 'monologue', 'cot'],
  ...['analysis', 'scratchpad', 'rationale', 'antthinking', 'deepthink', '思考'],
];
/** Those that people write in angle brackets, too, for something to fill in: an opening mark alone is not enough. */
export const EVERYDAY_NAME = /^(?:reason|reflection|cot|analysis|rationale)$/i;
/** Everyday names of what is for machines, which are those of thoughts if a mark closes them: people close nothing. */
export const MAYBE_THOUGHT_NAMES =
  'inner|plan(?:ning)?|context|search|meta|system(?:[_-]reminder)?|размышлени[ея]|рассуждени[ея]|мысл[иь]';
/** What calls of tools are called. */
export const CALL_NAMES = [
  ...['tool_call', 'tool_calls', 'tool_use', 'tool_code', 'tool_request', 'function_call', 'function_calls'],
  ...['execute_tool', 'use_tool', 'call_tool', 'invoke_tool'],
];
/** What a model takes for the answer of a tool. */
export const RESULT_NAMES = [
  ...['tool_response', 'tool_responses', 'tool_result', 'tool_results', 'tool_output', 'tool_outputs'],
  ...['function_response', 'function_responses', 'function_result', 'function_results', 'observation'],
];
/** What the answer itself is called in the marks around it. */
export const ANSWER_NAMES = [
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
  // Gemini.
  ['<ctrl94>', '<ctrl95>', 'think'],
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
export const PREFIXES = ['internal', 'inner', 'hidden', 'private', 'longcat', 'deep', 'chain_of', 'train_of'];
export const PREFIX = `(?:${PREFIXES.join('|').replaceAll('_', '[_-]?')})[_-]?`;
export const SUFFIXED = '(?:think|thinking|thoughts?|reason|reasoning|cot)';
export const NAME =
  `(?:[a-z]{2,12}:)?(?:${PREFIX}(?=think|thought|reason|reflect|monologue))?` +
  `(?:${THOUGHT_NAMES.join('|')})` +
  `(?:(?<=${SUFFIXED})(?::[\\w-]{1,40}|[ \\t]process|[_-](?:process|content|steps?|block|text|trace|on|off|fast|faster|(?:never|budget)_\\w{1,50})))?`;
/** Words of a name are parted by `_` or `-`, or by nothing. */
export const anyOf = (names: readonly string[]): string => `(?:${names.join('|').replaceAll('_', '[_-]?')})`;
export const CALL = `(?:\\w{1,20}[:_-])?${anyOf(CALL_NAMES)}`;
export const RESULT = anyOf(RESULT_NAMES);
export const ATTRIBUTES = '(?:\\s+[\\w:-]{1,30}\\s*=[^<>|]{0,200}|\\s*/)?';

/** In brackets people write names, too, but not these in capitals. */
export const BRACKETED = [...THOUGHT_NAMES, ...CALL_NAMES]
  .filter((name) => /^(?:think|thought|reasoning|tool_(?:call|request)$)/.test(name))
  .map((name) => name.toUpperCase());

/** What people set apart with double brackets is no mark: `<<Reflection>>`. */
export const NOT_DOUBLE = '(?<!<(?=<[^<>/]{1,60}>>))';

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

const IN_BRACKETS = new RegExp(`(?<!\\{)[[{［【]([/／]?)(${NAME}|${anyOf(CALL_NAMES)})[\\]}］】]`, 'gi');
const CALL_NAME = new RegExp(`^${anyOf(CALL_NAMES)}$`);
/** Before and after something to fill in: it stands amid a clause, as `Write [think] here.` has it. */
const CLAUSE_BEFORE = /[\p{L}\p{N},:][ \t]{1,3}["'«“(]?$|[\p{L}\p{N},:][ \t]{0,3}["'«“(]$/u;
const CLAUSE_AFTER = /^(?:[ \t]+[\p{L}\p{N}]|["'»”).,;:!?]|[ \t]*$)/u;

export const isAmidClause = (text: string, at: number, mark: string): boolean =>
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
    if (CALL_NAME.test(known)) return name === name.toUpperCase() ? mark : `<${tag}tool_call>`;
    if (names[''].has(known) && names['/'].has(known)) return `<${tag}think>`;
    if (!/^think(?:ing)?$/.test(known)) return mark;
    return tag === '' && isAmidClause(text, at, mark) ? mark : `<${tag}think>`;
  });
}

/** The text with all those marks as tags. */
export function asTags(text: string): string {
  if (!/[<[{◁［【]/.test(text)) return text;
  return withoutBrackets(TAGS.reduce((rest, { mark, tag }) => rest.replace(mark, tag), text));
}
