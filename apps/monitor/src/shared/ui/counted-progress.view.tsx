import { Group, Progress, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { percent, wholeNumber } from '../format/number.format';
import classes from './counted-progress.module.css';

interface Props {
  done: number;
  /** Of all; 0: there is nothing to do. */
  total: number;
  isGoing: boolean;
  /** How far it is, such as "3 of 10 rows". */
  words: string;
  /** What it is the progress of. */
  label: string;
  /** What a screen reader is told at the end. */
  endWords: string;
  counts: readonly { name: string; word: string; count: number }[];
  /** Beside the words. */
  note?: ReactNode;
}

/**
 * How far something is that takes minutes, and what became of it so far. It changes each second; a screen reader is told each
 * tenth, and the end.
 */
export function CountedProgress({ done, total, isGoing, words, label, endWords, counts, note }: Props) {
  const share = total > 0 ? done / total : 1;
  const tenths = Math.floor(share * 10) / 10;
  return (
    <>
      <VisuallyHidden role="status" data-announced>
        {isGoing ? `${label}: ${percent(tenths)}` : endWords}
      </VisuallyHidden>
      <Group justify="space-between" mb={4}>
        <Text size="sm" data-progress>
          {words}
        </Text>
        {note}
      </Group>
      <Progress.Root size="lg">
        <Progress.Section value={share * 100} aria-label={label} animated={isGoing} />
      </Progress.Root>
      <dl className={classes.counts}>
        {counts.map(({ name, word, count }) => (
          <div key={name} data-count-of={name}>
            <dt>{word}</dt>
            <dd>{wholeNumber(count)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
