import { Group, Select, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { guessSources } from './column-guess';
import { composing, useComposed, type ChosenFile } from '../compose/composed.store';
import { SharedText } from './hand.view';
import { sendWords } from '../send.words';
import { labelOf, type Slot } from '../../../shared/template/slot.rules';

const SAME = 'same';
const NONE = 'none';

/** Which column is the phone, and where the values come from. */
export function ColumnMapping({ file: { table }, slots }: { file: ChosenFile; slots: readonly Slot[] }) {
  const t = sendWords.use();
  const { phoneColumn, nameColumn, sources } = useComposed();
  useEffect(() => {
    // Another template after the file.
    if (slots.every(({ id }) => sources[id])) return;
    const guessed = guessSources(table, phoneColumn, slots);
    composing.change({
      sources: Object.fromEntries(
        slots.map(({ id }, n) => [id, sources[id] ?? guessed[n] ?? { column: null, text: '' }]),
      ),
    });
  }, [slots, sources, table, phoneColumn]);

  const columns = table.header.map((name, column) => ({
    value: String(column),
    label: name === '' ? t('column', { number: column + 1 }) : name,
  }));
  return (
    <Stack gap="sm" role="group" aria-label={t('columns')}>
      <Select
        label={t('phoneColumn')}
        placeholder={t('chooseColumn')}
        allowDeselect={false}
        data={columns}
        value={phoneColumn === null ? null : String(phoneColumn)}
        onChange={(column) => composing.change({ phoneColumn: column === null ? null : Number(column) })}
        error={phoneColumn === null ? t('chooseColumn') : undefined}
      />
      <Select
        label={t('nameColumn')}
        description={t('nameColumnHint')}
        allowDeselect={false}
        data={[{ value: NONE, label: t('noNames') }, ...columns]}
        value={nameColumn === null ? NONE : String(nameColumn)}
        onChange={(column) =>
          composing.change({ nameColumn: column === NONE || column === null ? null : Number(column) })
        }
      />
      {slots.map((slot) => {
        const label = labelOf(slot);
        const column = sources[slot.id]?.column ?? null;
        return (
          <Group key={slot.id} gap="sm" align="flex-end" grow preventGrowOverflow={false}>
            <Select
              label={t('sourceOf', { slot: label })}
              allowDeselect={false}
              data={[{ value: SAME, label: t('sameForAll') }, ...columns]}
              value={column === null ? SAME : String(column)}
              onChange={(chosen) =>
                composing.change({
                  sources: {
                    ...sources,
                    [slot.id]: {
                      column: chosen === SAME || chosen === null ? null : Number(chosen),
                      text: sources[slot.id]?.text ?? '',
                    },
                  },
                })
              }
            />
            {column === null && <SharedText slot={slot} label={t('textOf', { slot: label })} />}
          </Group>
        );
      })}
    </Stack>
  );
}
