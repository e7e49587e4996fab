import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { fileSize } from '../../../shared/format/number.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from './message.module.css';
import { timelineWords } from './timeline.words';

/** A part of a text; with `href` it is an address that can be followed. */
interface TextPart {
  text: string;
  href?: string;
}

/** Characters that turn, hide or join others have no place in an address that people shall judge by its look. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`«»“”\p{Cf}\p{Cc}]+/giu;
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** Finds the addresses of http and https in a text. Everything else stays text. */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutEnd(found);
    if (!isSafe(address)) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: address, href: address });
    from = index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** Without the punctuation of the sentence around it. A bracket belongs to the address if it was opened there. */
function withoutEnd(found: string): string {
  let address = found;
  for (;;) {
    const last = address.at(-1) ?? '';
    const opening = CLOSING[last];
    const isEnd = opening === undefined ? /[.,:;!?…*_~]/u.test(last) : !isBalanced(address, opening, last);
    if (!isEnd) return address;
    address = address.slice(0, -1);
  }
}

const isBalanced = (address: string, opening: string, closing: string): boolean =>
  address.split(opening).length >= address.split(closing).length;

/** A name before the host is shown as if it were the host. */
function isSafe(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** Longer texts are cut at first: one of 64 kB would be a page of its own. */
const SHOWN = 3_000;

/** A text of anybody, whole or cut, in which addresses of http and https can be followed. */
export function LinkedText({ text }: { text: string }) {
  const t = timelineWords.use();
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN + SHOWN / 2;
  const shown = isCut ? `${cut(text)} …` : text;
  return (
    <>
      <div className={classes.text} dir="auto">
        {linkParts(shown).map((part, index) =>
          part.href === undefined ? (
            // Parts of one text never change their places.
            part.text
          ) : (
            <a key={index} href={part.href} target="_blank" rel="noopener noreferrer" dir="ltr">
              {part.text}
            </a>
          ),
        )}
      </div>
      {isCut && (
        <UnstyledButton className={classes.more} onClick={() => setWhole(true)}>
          <CustomerText text={t('showAll', { size: fileSize(new Blob([text]).size) })} component="span" />
        </UnstyledButton>
      )}
    </>
  );
}

/** Not through the middle of a character. */
const cut = (text: string): string => text.slice(0, SHOWN).replace(/[\ud800-\udbff]$/u, '');
