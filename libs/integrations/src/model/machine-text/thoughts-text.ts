import {
  ANSWER_NAMES,
  ATTRIBUTES,
  EVERYDAY_NAME,
  MAYBE_THOUGHT_NAMES,
  NAME,
  NOT_DOUBLE,
} from './machine-marks-table';
import { IN_CALL } from './marked-calls';

/** {@link MAYBE_THOUGHT_NAMES}, and names with any part before or behind them. */
const MAYBE_THOUGHTS = new RegExp(
  `<(/?)(${MAYBE_THOUGHT_NAMES}|(?:[a-z]{2,12}[_-]){1,3}(?:think(?:ing)?|thoughts?|reasoning|reflection|monologue)|(?:think(?:ing)?|thoughts?|reasoning)(?:[_-][a-z]{2,12}){1,3})>`,
  'giu',
);

/** After thoughts the answer may have a mark of its own. */
const THOUGHT_TAGS = new RegExp(
  `${NOT_DOUBLE}<(/?)(${NAME})${ATTRIBUTES}>(?:\\s*<(?:${ANSWER_NAMES.join('|')})>)?`,
  'gi',
);

const THOUGHT_WORD =
  '(?:thinking|thought|reasoning|(?:thought|thinking)[ \\t]+process|рассуждени[ея]|размышлени[ея]|мысли|ход[ \\t]+мыслей)';
const THOUGHT_WORDS = `(?:${THOUGHT_WORD}|thoughts|analysis)`;
const RECEIVER = '(?:[ \\t]+to[ \\t]+(?:the[ \\t]+)?(?:customer|client|user))?';
const ANSWER = `(?:(?:final[ \\t]+)?(?:answer|response|reply)${RECEIVER}|(?:(?:итоговый|финальный)[ \\t]+)?ответ(?:[ \\t]+(?:клиенту|пользователю))?)`;
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
  /<details\b[^>]{0,200}>\s*<summary>[^<]{0,200}(?:think|thought|reasoning|размышл|мысл)[^<]{0,200}<\/summary>[\s\S]*?(?:<\/details>|$)/gi,
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

/**
 * Thoughts without an end, where a server has taken the marks out, or a turn of somebody else: Qwen's (LM Studio's issue
 * 2147), Gemini's, with what is left of its mark (openclaw/openclaw#61350).
 */
const ENDLESS =
  /^\s*(?:Here(?:['’]s| is) a thinking process\b|Thinking Process:[ \t]*\n\s*1\.|user[ \t]*\n)[\s\S]*$|\S{0,9}thought\s+CRITICAL INSTRUCTION \d[\s\S]*$/;

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
export function withoutThoughts(given: string): { text: string; isBroken: boolean } {
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
  const rest = SET_APART.reduce((left, pattern) => left.replace(pattern, ''), visible);
  const ended = rest.replace(ENDLESS, '');
  return { text: ended, isBroken: ended !== rest || (depth > 0 && !isSure) };
}
