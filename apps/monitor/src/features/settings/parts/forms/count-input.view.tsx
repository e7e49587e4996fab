import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { decimalSeparator, thousandSeparator } from '../../../../shared/format/number.format';

interface Props {
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
export function CountInput({ value = null, onChange, unit = 1, max, ...rest }: Props) {
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
