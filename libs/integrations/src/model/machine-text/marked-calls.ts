import { ANSWER_NAMES, ATTRIBUTES, CALL, NOT_DOUBLE, RESULT } from './machine-marks-table';
import { callsIn, namedCall, taggedCall, TAKEN, type WrittenCall } from './written-calls';

const MARKED_CALL = new RegExp(
  `<${CALL}(?![\\w|])[^>]{0,100}>(?!\\s*<${CALL}\\b)([\\s\\S]*?)(?:</${CALL}>|(?=<\\|(?:end|im_end|eot_id|eom_id|message_sep)\\|>)|$)`,
  'gi',
);
const NAMED_CALL =
  /(<(?:\w{1,20}:)?(?:function|invoke|(?:tools)?call)(?:=|\s+(?:name|tool)\s*=)[\s\S]*?(?:<\/(?:\w{1,20}:)?(?:function|invoke|(?:tools)?call)>|$))/gi;
/** A call that is marked, or that names its tool in a tag. */
export const IN_CALL = new RegExp(`${MARKED_CALL.source}|${NAMED_CALL.source}`, 'gi');

/** The channels of gpt-oss ("harmony"): only `final` is for people, and a call is addressed to its tool. */
const CHANNEL =
  /<\|channel\|>([^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>([\s\S]*?)(?=<\|(?:end|call|return|start|channel)\|>|$)/gi;
/** The same where a server has taken the tokens out and left their words. */
const CHANNEL_WORDS =
  /^\s*(?:assistant)?\s*(?:(?:analysis|commentary)(?=[^a-z:])[\s\S]*?assistant(?:\s*\n\s*)?final|(?:analysis|commentary)[ \t]*\n[\s\S]*?assistant\s+final)(?:\s*(?:message|json)\b)?/;
/** And where it came to no answer. Nobody writes the word without a blank. */
const ENDLESS_THOUGHTS = /^\s*(?:assistant)?(?:analysis|commentary)(?=[A-Z])(?![\s\S]*\bto=)/;
const ADDRESSEE = /to=(?:functions\.)?([\w.-]+)/;

/** Where the request has the first token. */
const OPENED_CHANNEL =
  /^\s*(?=(?:analysis|commentary|final)\b[^<]{0,100}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>)/i;
/** After thoughts the answer may have no channel. */
const AFTER_CHANNELS = /<\|end\|>(?!\s*(?:<|$))([\s\S]*)$/i;

/** Takes the channels out that are not for people. Calls in them are added to `calls`. */
export function finalChannel(given: string, calls: WrittenCall[]): { text: string; isBroken: boolean } {
  const text = given.replace(OPENED_CHANNEL, '<|channel|>');
  if (!/<\|channel\|>/i.test(text)) {
    const rest = text.replace(CHANNEL_WORDS, '');
    return ENDLESS_THOUGHTS.test(rest) ? { text: '', isBroken: true } : { text: rest, isBroken: false };
  }
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
  /(?:<ctrl42>|^[ \t]*(?:\.start)?)call:?[ \t]*(default_api[.:][\s\S]*)$(?![\s\S])/gim,
  /\[(?:Calling tool|Tool[ _]call):\s*([\s\S]*?)\](?=\s*$|\s*\n)/gim,
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

/** Arguments of a call whose beginning is gone. */
const LOST_CALL = /<(?:\w{1,20}:)?parameter(?:=|\s+name\s*=)[^<>]{1,100}>/i;

/** What a model takes for the answer of a tool, and what it marks its calls with besides. */
const LEFTOVERS = [
  new RegExp(`${NOT_DOUBLE}<(${RESULT})${ATTRIBUTES}>[\\s\\S]*?(?:</\\1>|$)`, 'gi'),
  new RegExp(
    `</?(?:${CALL}|${RESULT}|(?:\\w{1,20}:|longcat_)?(?:tools?(?:_\\w+|(?:call|message|tools)+)?|functions?|invoke|parameters?|arg_key|arg_value))(?:=[^<>]{0,100}|${ATTRIBUTES})>`,
    'gi',
  ),
  new RegExp(
    `(?:<\\s*(?:action|calls?|argument)${ATTRIBUTES}>\\s*)+(?=${TAKEN})|(?<=${TAKEN})(?:\\s*</(?:action|calls?|argument)>)+|</_call>`,
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

/** A mark around all of a text, whatever it is called, unless it is one of HTML. */
const AROUND_ALL =
  /^\s*<(?!(?:b|strong|i|em|u|s|del|strike|p|div|span|ul|ol|li|h[1-6]|a|code|pre)>)(\w[\w-]{0,40})>([^<>]*)<\/\1>\s*$/i;

/** An opening mark within a text, without a closing one, is something to tap on. */
function withoutAnswerMarks(given: string): string {
  const text = given.replace(ANSWER_IN_BLOCK, '$1').replace(AROUND_ALL, '$2');
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
export function markTagged(text: string, tools: ReadonlySet<string>): string {
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

/** Takes marked calls out, and their answers, which a model makes up. What they call is added to `calls`. */
export function takeCalls(
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
  isBroken ||= LOST_CALL.test(rest);
  for (const pattern of LEFTOVERS) rest = rest.replace(pattern, '');
  rest = withoutChain(withoutAnswerMarks(rest)).replace(FENCED, (fenced: string, taken?: string) =>
    taken === undefined ? fenced : TAKEN,
  );
  rest = rest.replaceAll(`${TAKEN}\n`, TAKEN);
  const read = rest.replace(UNREADABLE, '');
  return { text: read, isBroken: isBroken || read !== rest };
}
