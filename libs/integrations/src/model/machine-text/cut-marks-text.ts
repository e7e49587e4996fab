import {
  ANSWER_NAMES,
  anyOf,
  ATTRIBUTES,
  BRACKETED,
  CALL_NAMES,
  isAmidClause,
  NAME,
  PREFIX,
  PREFIXES,
  RESULT_NAMES,
  SUFFIXED,
  THOUGHT_NAMES,
} from './machine-marks-table';

/** What else stands in angle brackets. */
const OTHER_NAMES = [
  ...['function', 'functions', 'invoke', 'parameter', 'argument', 'arguments', 'call', 'action', 'details'],
  ...['tools', 'tool_name', 'arg_key', 'arg_value', 'tool_arguments', 'summary', 'escape', 'channel', 'turn'],
  ...['mm:', 'seed:', 'minimax:', 'steptml:', 'antml:', 'start_of_turn', 'end_of_turn', 'end_of_utterance'],
  ...['eos', 'bos', 'eod', 'eop', 'sop', 's', 'assistant', 'user', 'human', 'unk', 'pad', 'mask'],
  ...['unused9', 'reserved_', 'special_', 'extra_id_', 'ctrl'],
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
  `^(?:${NAME}|(?:[a-z]{1,20}:)?${anyOf(KNOWN_NAMES.filter((name) => /^\w+$/.test(name)))}|(?:unused|ctrl)\\d{1,4}|(?:reserved|special|extra_id)_\\w{0,40}|0x[0-9a-f]{0,2})$`,
  'i',
);
const BEFORE_NAME = new RegExp(`^(?:[a-z]{2,12}:|(?:start|begin|end)_(?:of_)?)?(?:${PREFIX})?`);
const BEFORE_SUFFIX = new RegExp(`${SUFFIXED}[:_-][\\w-]*$`);
const ATTRIBUTE_NAMES = ['name', 'tool', 'type', 'key', 'index', 'string', 'id', 'class', 'open', 'process'];

/** Letters that look like Latin ones, which models mix up amid a word. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', с: 'c', е: 'e', һ: 'h', н: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o' },
  ...{ р: 'p', ѕ: 's', т: 't', у: 'y', х: 'x' },
};
/** Reads Cyrillic letters as the Latin ones that they resemble, in a name that has a Latin letter. */
const inLatin = (name: string): string =>
  /[a-z]/i.test(name)
    ? name.replace(/\p{Script=Cyrillic}/gu, (letter) => LOOKALIKES[letter] ?? letter)
    : name;

/** Whether a text's last words in brackets begin a mark: nothing that has a blank after its bracket does. */
function beginsMark(given: string, names: readonly string[]): boolean {
  const [, name = '', after = ''] =
    /^[/／]?((?:\p{L}|\p{N}|[_:▁-])*)([\s\S]*)$/u.exec(inLatin(given.normalize('NFKC')).toLowerCase()) ?? [];
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
export const OPENING = String.raw`(?:[<‹〈\u2329⟨＜﹤]|&(?:amp;){0,3}(?:lt|#0*60|#x0*3c);|\\u003c)`;
const CLOSING = String.raw`(?:[>›〉\u232a⟩＞﹥]|&(?:amp;){0,3}(?:gt|#0*62|#x0*3e);|\\u003e)`;
/** A mark that has only begun: of a text that was cut. */
const CUT_PAIR =
  /(?:<details\b[^<>]{0,200}>\s*(?:<summary>[^<]{0,200}(?:<\/?\w{0,9})?|<\w{0,9})?|<\|(?:open|close)\|>[^<>]{0,100}(?:<\|?\w{0,3})?|[<‹〈\u2329⟨＜﹤]\/?[|｜∣│ǀ][^<>\s]{0,60}|<!-{0,2}|\]?<\]\w{0,7}\[?>?|\[(?:\/?[A-Z_]{0,3}\|\w{0,20}\|?|e~)|(?<!\[[^[\]\n]{0,100})\]~!?b?)$/i;
const CUT_TAG = new RegExp(String.raw`(?:${OPENING}|◁)((?:(?!${OPENING})[^>›〉\u232a⟩＞﹥◁▷]){0,250})$`, 'i');
const CUT_WORD = /[[［【](\/?[\w: ]{3,20}|\/[A-Z]{0,2})$/;

/** Takes a mark out that has only begun, at the end of a text that was cut. */
export function withoutCutMark(text: string, tools: ReadonlySet<string>): string {
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
  String.raw`\\{0,9}${OPENING}([^<>‹›〈〉\u2329\u232a⟨⟩＜＞﹤﹥&\n]{1,200}?)\\{0,9}${CLOSING}`,
  'gi',
);
/** Signs and letters of its own. */
const PLAIN_MARK =
  /^<(?![^<>]*(?:[a-z][\p{Script=Cyrillic}]|[\p{Script=Cyrillic}][a-z]))[^\\｜／▁∣│ǀ\uff21-\uff5a\u{1d400}-\u{1d7ff}]*>$/iu;
const BESIDE_NAME = new RegExp(`^/?\\s*(?:(?:start|begin|end)_(?:of_)?)?|${ATTRIBUTES}$`, 'gi');
const QUOTED_WORD = /^[‹〈\u2329⟨]\p{Lu}\p{L}+[›〉\u232a⟩]$/u;
/** ChatML's, which models remember by halves. */
const CHAT_MARK = /(?:<\|?|\|)\s*(im_(?:start|end))\s*\|?>/gi;

/** Marks in their own signs, whatever they are written in. What else stands between such signs stays as it is. */
export const withPlainMarks = (text: string, tools: ReadonlySet<string>): string =>
  text
    .replace(SPELT_MARK, (whole, within: string, at: number) => {
      if (PLAIN_MARK.test(whole)) return whole;
      const plain = inLatin(
        within.replaceAll('\\', '').normalize('NFKC').replace(/[∣│ǀ]/g, '|').replaceAll('▁', '_').trim(),
      );
      const name = plain.replace(BESIDE_NAME, '');
      // People quote titles so.
      if (QUOTED_WORD.test(whole) && isAmidClause(text, at, whole)) return whole;
      return /^\/?\||\|$/.test(plain) || WHOLE_NAME.test(name) || tools.has(name) ? `<${plain}>` : whole;
    })
    .replace(CHAT_MARK, '<|$1|>');
