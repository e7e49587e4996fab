import {
  ANSWER_NAMES,
  EVERYDAY_NAME,
  isAmidClause,
  MAYBE_THOUGHT_NAMES,
  THOUGHT_NAMES,
} from './machine-marks-table';

/** Signs that no text has, each of which stands for what is set aside. */
const FIRST_SIGN = 0xf0000;
export const SET_ASIDE = /[\u{f0000}-\u{ffffd}]/gu;
const SIGNS_MAX = 0xfffd;

/** A text without what is for people although it looks like marks of machines. */
export interface SetAside {
  text: string;
  /** The same, or a part of it, with what was set aside. */
  restore: (text: string) => string;
}

/** @returns the sign that stands for what is given */
type Keep = (each: string) => string;

/** A mark as code amid a clause: people are told of it. */
const TOLD_MARK = /(?<!`)`(?:<[^`<>\n]{1,60}>|\[[^`[\]\n]{1,60}\])`(?!`)/g;

/** The signs of a comment, as code. */
const COMMENT_SIGN = /(?<!`)`(?:<!--|-->)`(?!`)/g;
/** Words that are struck out. */
const STRUCK = /<s>[^<>\n]{1,100}<\/s>/g;

/** A block of code in a language that has tags, or types in angle brackets. */
const CODE =
  /(?<=(:[ \t*]*\n+)?)^[ \t]*(?:```|~~~)(?:html?|xhtml|xml|svg|vue|svelte|php|liquid|markdown|md|css|[jt]sx?|javascript|typescript|java|kotlin|scala|swift|dart|go|rust|python|py|c\+\+|cpp|cs|csharp)[ \t]*\n([\s\S]*?)(?=^[ \t]*(?:```|~~~)|$(?![\s\S]))/gim;
/** What HTML has itself. */
const OF_HTML = /<!--(?=[\s\S]*?-->)|-->|<\/?(?:search|meta|details|summary|output|menu|s)(?:\s[^<>]*)?>/gi;
/** Everyday names, in code that somebody announces, unless all of it is an answer in its marks. */
const EVERYDAY = `(?:${ANSWER_NAMES.join('|')}|${MAYBE_THOUGHT_NAMES}|reason|reflection|analysis|rationale|user|human|assistant)`;
const EVERYDAY_TAG = new RegExp(`</?${EVERYDAY}(?:\\s[^<>]*)?>`, 'gi');
const ONE_ANSWER = new RegExp(`^\\s*<(${ANSWER_NAMES.join('|')})>[\\s\\S]*</\\1>\\s*$`, 'i');

/** A type with another one that is called like thoughts: `Array<Reason>`. Thoughts have an end, or names in small letters. */
const TYPE = /(?<=([A-Za-z_]\w{0,60}))<([A-Za-z]\w{0,40})>/g;
const CONTAINER =
  /(?:Array|List|Set|Map|Vec(?:tor)?|Promise|Future|Task|Option(?:al)?|Result|Iter\w*|Collection|Sequence|Stream|Queue|Stack|Ref|Box|R?c|Class|Type|Partial|Readonly|Required|Enum\w*|Observable|Signal|Props|FC|Component|vector|(?:list|set|map|queue|optional|_ptr))$/;
const ANY = /^/;
const THOUGHT_NAME = new RegExp(`^(?:${THOUGHT_NAMES.join('|')})$`, 'i');

/** People with what they do: a heading, and lines that have a colon each, some of which are called like speakers. */
const WHO_ANSWERS = '(?:Assistant|AI|Bot|Ассистент|Бот|ИИ)';
const SPEAKER = `[*_]{0,3}(?:Human|User|Customer|Пользователь|Клиент|${WHO_ANSWERS})[*_]{0,3}`;
const LABELLED = '[ \\t]*[*_]{0,3}\\p{L}[^:\\n]{0,40}:[ \\t]*\\S[^\\n]*';
const LIST = new RegExp(`(?<=\\S:[ \\t*_]*\\n)(?:${LABELLED}(?:\\n|$))+`, 'gu');
const HEADED_BY_SPEAKER = new RegExp(`${SPEAKER}:[ \\t*]*\\n$`);
const SPEAKER_LABEL = new RegExp(`^[ \\t]*${SPEAKER}[ \\t]*:`, 'gm');
const ANSWERS = new RegExp(`^\\s*[*_]{0,3}${WHO_ANSWERS}`);
/** The same on one line. */
const IN_LINE = new RegExp(`^Assistant:(?=[^\\n]*[,;][ \\t]*${SPEAKER}:)`);

/** Names that marks close, however they are spelled. */
const closedIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/[/／]\s?(\w{1,40})/g)].map(([, name = '']) => name.toLowerCase()));

function withoutTypes(text: string, closed: ReadonlySet<string>, mayBe: RegExp, keep: Keep): string {
  return text.replace(TYPE, (type, container: string, name: string) =>
    mayBe.test(container) &&
    THOUGHT_NAME.test(name) &&
    (/^[A-Z][a-z]/.test(name) || EVERYDAY_NAME.test(name)) &&
    !closed.has(name.toLowerCase())
      ? keep(type)
      : type,
  );
}

const withoutCode = (text: string, closed: ReadonlySet<string>, keep: Keep): string =>
  text.replace(CODE, (block: string, announcing: string | undefined, body: string) => {
    const code = withoutTypes(block.replace(OF_HTML, keep), closed, ANY, keep);
    return announcing !== undefined && !ONE_ANSWER.test(body) ? code.replace(EVERYDAY_TAG, keep) : code;
  });

/**
 * A turn that the model makes up begins with what somebody asks: so a list of people begins with one of them, or has one
 * who answers first.
 */
const withoutSpeakers = (text: string, keep: Keep): string =>
  text
    .replace(LIST, (list: string, at: number) => {
      const first = list.search(SPEAKER_LABEL);
      const isOfPeople =
        (first === 0 || ANSWERS.test(list.slice(Math.max(0, first)))) &&
        !HEADED_BY_SPEAKER.test(text.slice(Math.max(0, at - 60), at));
      return first >= 0 && isOfPeople ? list.replace(SPEAKER_LABEL, keep) : list;
    })
    .replace(IN_LINE, keep);

/** Sets aside what people are told of, in words or in code. */
export function setAside(given: string, tools: ReadonlySet<string>): SetAside {
  const aside: string[] = [];
  const keep: Keep = (each) =>
    aside.length > SIGNS_MAX ? each : String.fromCodePoint(FIRST_SIGN + aside.push(each) - 1);
  const restore = (text: string): string =>
    text.replace(SET_ASIDE, (sign) => restore(aside[(sign.codePointAt(0) ?? 0) - FIRST_SIGN] ?? ''));
  const plain = given.replace(SET_ASIDE, '');
  const closed = closedIn(plain);
  const struckOut = plain.replace(STRUCK, (struck, at: number) =>
    isAmidClause(plain, at, struck) ? struck.replace(/<\/?s>/g, keep) : struck,
  );
  const words = struckOut.replace(COMMENT_SIGN, keep);
  const told = withoutTypes(withoutCode(words, closed, keep), closed, CONTAINER, keep);
  const text = told.replace(TOLD_MARK, (mark, at: number) =>
    isAmidClause(told, at, mark) && !tools.has(/[\w-]+/.exec(mark)?.[0] ?? '') ? keep(mark) : mark,
  );
  return { text: withoutSpeakers(text, keep), restore };
}
