import type { StatusId } from '@app/client/board.views';
import { NativeSelect } from '@mantine/core';
import { useCallback, useSyncExternalStore } from 'react';
import { wholeNumber } from '../../shared/format/number.format';
import { useLive } from '../../shared/live/live.context';
import { boardWords } from './board.words';
import classes from './board.module.css';

interface Props {
  columns: readonly { id: StatusId; name: string }[];
  shown: StatusId;
  onShow: (id: StatusId) => void;
}

/** On a phone one column is shown at a time: this one. */
export function StagePicker({ columns, shown, onShow }: Props) {
  const t = boardWords.use();
  const totals = useTotals(columns.map(({ id }) => id));
  return (
    <NativeSelect
      className={classes.stagePicker}
      size="sm"
      aria-label={t('stage')}
      value={shown ?? 'none'}
      onChange={({ currentTarget: { value } }) => onShow(value === 'none' ? null : value)}
      data={columns.map(({ id, name }, index) => ({
        value: id ?? 'none',
        label: t('stageWithCount', { stage: name, count: wholeNumber(totals[index] ?? 0) }),
      }))}
    />
  );
}

function useTotals(ids: readonly StatusId[]): number[] {
  const { store } = useLive();
  const key = ids.join();
  const read = (): string => ids.map((id) => store.column(id)?.total ?? 0).join();
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = ids.map((id) => store.subscribeColumn(id, listener));
      return () => stops.forEach((stop) => stop());
    },
    // The list is made anew at each drawing; its content counts.
    [store, key],
  );
  return useSyncExternalStore(subscribe, read).split(',').map(Number);
}
