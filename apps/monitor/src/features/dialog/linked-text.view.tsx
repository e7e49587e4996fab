import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { fileSize } from '../../shared/format/number.format';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { linkParts } from './link.format';
import classes from './message.module.css';
import { timelineWords } from './timeline.words';

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
