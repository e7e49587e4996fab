import type { StatusId } from '@app/client/board/board-views';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { wholeNumber } from '../../../shared/format/number.format';
import { useLive } from '../../../shared/live/live-context';
import { commonWords } from '../../../shared/words/common.words';
import { boardWords } from '../board.words';
import classes from './column.module.css';

/** What comes within this time is not spoken of. */
const SOON_MS = 1_000;

interface Props {
  statusId: StatusId;
  shown: number;
  total: number;
}

/** Below the last card that is there, where further ones do not come by themselves. */
export function Further({ statusId, shown, total }: Props) {
  const t = boardWords.use();
  const common = commonWords.use();
  const { connection } = useLive();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <p className={classes.further}>
      {t('further', { shown: wholeNumber(shown), total: wholeNumber(total) })}
      <Button size="compact-sm" fz="xs" variant="default" onClick={() => connection.more(statusId)}>
        {common('more')}
      </Button>
    </p>
  );
}
