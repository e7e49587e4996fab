import { ActionIcon, Text, NumberInput, NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { decimalSeparator, thousandSeparator } from '../../../../shared/format/number.format';
import { IconTrash } from '../../../../shared/ui/icons.view';
import { settingsWords } from '../../settings.words';
import classes from './input-row.module.css';
import spanInputClasses from './span-input.module.css';
import { secondsIn, wholeUnit, type SpanUnit } from './span.format';

interface SpanInputProps {
  label: string;
  description?: string;
  /** In seconds. */
  value?: number | null;
  onChange: (seconds: number | null) => void;
  error?: ReactNode;
  required?: boolean;
}

const UNITS: readonly SpanUnit[] = ['second', 'minute', 'hour', 'day'];

/** A span of time, in the unit that people choose. */
export function SpanInput({ label, description, value = null, onChange, error, required }: SpanInputProps) {
  const t = settingsWords.use();
  const [unit, setUnit] = useState<SpanUnit>(() =>
    value === null || value === 0 ? 'hour' : wholeUnit(value),
  );
  return (
    <div className={spanInputClasses.span}>
      <NumberInput
        label={label}
        description={description}
        error={error}
        required={required}
        value={value === null ? '' : value / secondsIn(unit)}
        onChange={(shown) => onChange(shown === '' ? null : Math.round(Number(shown) * secondsIn(unit)))}
        min={0}
        clampBehavior="none"
        decimalScale={unit === 'second' ? 0 : 2}
        allowNegative={false}
        hideControls
      />
      <NativeSelect
        aria-label={t('unitOf', { label })}
        data={UNITS.map((name) => ({ value: name, label: t(`unit_${name}`) }))}
        value={unit}
        onChange={(event) => {
          const next = event.currentTarget.value as SpanUnit;
          // The number stays as it is typed, so the span becomes another.
          if (value !== null) onChange(Math.round((value / secondsIn(unit)) * secondsIn(next)));
          setUnit(next);
        }}
      />
    </div>
  );
}

interface CountInputProps {
  label: string;
  description?: ReactNode;
  value?: number | null;
  onChange: (value: number | null) => void;
  error?: ReactNode;
  /** How much of the value one shown unit is: 1000 shows milliseconds as seconds. */
  unit?: number;
  max?: number;
  placeholder?: string;
  required?: boolean;
  readOnly?: boolean;
}

/** A number that is not negative; empty is null. */
export function CountInput({ value = null, onChange, unit = 1, max, ...rest }: CountInputProps) {
  return (
    <NumberInput
      {...rest}
      value={value === null ? '' : value / unit}
      onChange={(shown) => onChange(shown === '' ? null : Math.round(Number(shown) * unit))}
      min={0}
      max={max === undefined ? undefined : max / unit}
      clampBehavior="none"
      decimalScale={unit === 1 ? 0 : 3}
      allowNegative={false}
      thousandSeparator={thousandSeparator()}
      decimalSeparator={decimalSeparator()}
      hideControls
    />
  );
}

/** What a choice will lead to that is hardly meant. It may be saved all the same. */
export function FieldWarning({ text }: { text: string | null }) {
  return (
    <div role="status">
      {text !== null && (
        <Text size="xs" c="var(--ll-waiting)" mt={4}>
          {text}
        </Text>
      )}
    </div>
  );
}

/** What is wrong with a list as a whole. */
export function FieldError({ error }: { error: ReactNode }) {
  return error === undefined || error === null ? null : (
    <Text size="sm" role="alert" c="var(--mantine-color-error)">
      {error}
    </Text>
  );
}

interface Props {
  children: ReactNode;
  removeLabel: string;
  onRemove: () => void;
}

/** Fields that belong together, and the way to take them away. */
export function InputRow({ children, removeLabel, onRemove }: Props) {
  return (
    <div className={classes.row}>
      <div className={classes.fields}>{children}</div>
      <ActionIcon
        className={classes.remove}
        variant="subtle"
        color="red"
        aria-label={removeLabel}
        onClick={onRemove}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
