import { NativeSelect, NumberInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { settingsWords } from '../../settings.words';
import { secondsIn, wholeUnit, type SpanUnit } from './span.format';
import classes from './span-input.module.css';

interface Props {
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
export function SpanInput({ label, description, value = null, onChange, error, required }: Props) {
  const t = settingsWords.use();
  const [unit, setUnit] = useState<SpanUnit>(() =>
    value === null || value === 0 ? 'hour' : wholeUnit(value),
  );
  return (
    <div className={classes.span}>
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
