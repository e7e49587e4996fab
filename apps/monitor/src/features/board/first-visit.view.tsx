import { CloseButton, Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { boardWords } from './board.words';
import classes from './board.module.css';

const KEY = 'leadline.first-visit';

/** What can be tried here, until it is closed for good. */
export function FirstVisit() {
  const t = boardWords.use();
  const isTouch = useMediaQuery('(hover: none)', false, { getInitialValueInEffect: false });
  const [isShown, setShown] = useState(() => localStorage.getItem(KEY) === null);
  if (!isShown) return null;
  return (
    <Paper component="aside" className={classes.firstVisit} withBorder shadow="sm" aria-label={t('tryTitle')}>
      <div>
        <h2 className={classes.firstVisitTitle}>{t('tryTitle')}</h2>
        <ol className={classes.hints}>
          <li>{t(isTouch ? 'tryMoveTouch' : 'tryMove')}</li>
          <li>{t('tryWrite')}</li>
          <li>{t(isTouch ? 'trySwitchTouch' : 'trySwitch')}</li>
        </ol>
      </div>
      <CloseButton
        aria-label={t('tryClose')}
        onClick={() => {
          localStorage.setItem(KEY, 'seen');
          setShown(false);
        }}
      />
    </Paper>
  );
}
