import type { StatusId } from '@app/client/board/board-views';
import { NativeSelect } from '@mantine/core';
import { wholeNumber } from '../../../shared/format/number.format';
import { isolated } from '../../../shared/format/direction.format';
import { useTotals } from '../board-state.hook';
import { boardWords } from '../board.words';
import classes from '../board.module.css';

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
        label: t('stageWithCount', { stage: isolated(name), count: wholeNumber(totals[index] ?? 0) }),
      }))}
    />
  );
}
