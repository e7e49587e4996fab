import type { StepError } from '@app/contracts/scenario.words';
import type { StepMoment } from './step-decision';
import { dateAndTime, render, renderDeep, type Rendered, type VariableValues } from './step-variables';

/** A text with its variables replaced, or why the step fails. */
type Filled<T> = { value: T } | { failed: StepError };

/** Dates and times are those of the scenario's hours; without hours, of UTC. */
const valuesAt = ({ now, sendHours, dialog }: StepMoment): VariableValues => ({
  'lead.name': dialog.leadName,
  'lead.phone': dialog.leadPhone,
  'status.name': dialog.statusName,
  'assistant.name': dialog.assistantName,
  ...dateAndTime(now, sendHours?.timezone ?? 'UTC'),
});

export const rendered = (text: string, at: StepMoment): Filled<string> => filled(render(text, valuesAt(at)));

/** Of every text within a value. */
export const renderedDeep = <T>(value: T, at: StepMoment): Filled<T> =>
  filled(renderDeep(value, valuesAt(at)));

function filled<T>(result: Rendered<T>): Filled<T> {
  if ('value' in result) return result;
  const message = `{{${result.empty}}} is empty here, and has no fallback.`;
  return { failed: { code: 'VARIABLE_EMPTY', message } };
}
