import { Fragment, type ReactNode } from 'react';
import classes from './template-preview.module.css';

/** A mark stands at the edge of a word, and has something between it and its pair. */
const MARKED =
  /(?<![\p{L}\p{N}])(?:```(?<fixed>[^]+?)```|`(?<code>[^`\n]+)`|(?<mark>[*_~])(?=\S)(?<inner>[^\n]*?\S)\k<mark>)(?![\p{L}\p{N}])/u;

const TAGS = { '*': 'strong', _: 'em', '~': 's' } as const;

/** A text as WhatsApp writes it: *bold*, _italic_, ~struck~, `code`, ```fixed width```, quotes and lists by lines. */
export function WhatsAppText({ text }: { text: string }) {
  return text.split('\n').map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {lineOf(line)}
    </Fragment>
  ));
}

function lineOf(line: string): ReactNode {
  if (line.startsWith('> ')) return <span className={classes.quote}>{inlineOf(line.slice(2))}</span>;
  const item = /^[*-] (.*)$/.exec(line);
  return item ? <>• {inlineOf(item[1] ?? '')}</> : inlineOf(line);
}

function inlineOf(text: string): ReactNode {
  const found = MARKED.exec(text);
  if (!found?.groups) return text;
  const { fixed, code, mark, inner = '' } = found.groups;
  const Tag = TAGS[mark as keyof typeof TAGS];
  return (
    <>
      {text.slice(0, found.index)}
      {Tag ? <Tag>{inlineOf(inner)}</Tag> : <code>{fixed ?? code}</code>}
      {inlineOf(text.slice(found.index + found[0].length))}
    </>
  );
}
