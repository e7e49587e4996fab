import { SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { isolated } from '../../../shared/format/direction.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { composing, useComposed } from '../compose/composed.store';
import { templatePartWords } from '../../../shared/template/template-part.words';
import { sendWords } from '../send.words';
import { labelOf, type Slot } from '../../../shared/template/slot.rules';

/** A line with cells, as people type or paste it. */
interface HandLine {
  /** From 1. */
  line: number;
  cells: readonly string[];
}

const SEPARATORS = ['\t', ';', ','] as const;

const linesOf = (text: string): { line: number; words: string }[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((words, n) => ({ line: n + 1, words: words.trim() }))
    .filter(({ words }) => words !== '');

/** Phones alone, one a line or several with commas between them. */
export const phonesOf = (text: string): HandLine[] =>
  linesOf(text).flatMap(({ line, words }) =>
    words
      .split(/[,;\t]/)
      .map((phone) => phone.trim())
      .filter((phone) => phone !== '')
      .map((phone) => ({ line, cells: [phone] })),
  );

/** A phone and its values in each line, with tabs, semicolons or commas between them: the first of these that it has. */
export const phonesWithValues = (text: string): HandLine[] =>
  linesOf(text).map(({ line, words }) => {
    const separator = SEPARATORS.find((one) => words.includes(one)) ?? ',';
    return { line, cells: words.split(separator).map((cell) => cell.trim()) };
  });

/** Recipients that are typed or pasted, with values of their own or the same for all. */
export function HandRecipients({ slots }: { slots: readonly Slot[] }) {
  const t = sendWords.use();
  const { handText, handValues, dialog } = useComposed();
  const isEach = handValues === 'each' && slots.length > 0;
  return (
    <Stack gap="sm">
      {slots.length > 0 && (
        <div>
          <Text size="sm" fw={600} id="values-are">
            {t('valuesAre')}
          </Text>
          <SegmentedControl
            aria-labelledby="values-are"
            data={[
              { value: 'same', label: t('valuesSame') },
              { value: 'each', label: t('valuesEach') },
            ]}
            value={handValues}
            onChange={(chosen) => composing.change({ handValues: chosen === 'each' ? 'each' : 'same' })}
          />
        </div>
      )}
      {!isEach && slots.map((slot) => <SharedText key={slot.id} slot={slot} label={labelOf(slot)} />)}
      <Textarea
        label={t('phones')}
        description={
          isEach ? t('phonesWithValuesHint', { values: slots.map(labelOf).join('; ') }) : t('phonesHint')
        }
        placeholder={
          isEach ? `+77015551010; ${slots.map(({ example }) => example || '…').join('; ')}` : '+77015551010'
        }
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        value={handText}
        onChange={(event) => composing.change({ handText: event.currentTarget.value })}
      />
      {dialog !== null && handText.includes(dialog.id) && (
        <Text size="sm">
          <CustomerText text={t('withoutPhone', { id: dialog.id, name: isolated(dialog.name) })} />
        </Text>
      )}
    </Stack>
  );
}

/** A value that all recipients get. */
export function SharedText({ slot, label }: { slot: Slot; label: string }) {
  const t = templatePartWords.use();
  const { sources } = useComposed();
  return (
    <TextInput
      label={label}
      description={slot.isOptional ? t('optional') : undefined}
      placeholder={slot.example}
      dir="auto"
      value={sources[slot.id]?.text ?? ''}
      onChange={(event) =>
        composing.change({
          sources: { ...sources, [slot.id]: { column: null, text: event.currentTarget.value } },
        })
      }
    />
  );
}
