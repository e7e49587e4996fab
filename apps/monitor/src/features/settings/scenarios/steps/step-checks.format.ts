import { formRootRule } from '@mantine/form';
import { atMost, between, filled } from '../../parts/forms/field-checks.format';
import { settingsWords } from '../../settings.words';
import type { StepDraft, StepKind } from './step-draft.format';
import { stepEditorWords } from './step-editor.words';

interface Values {
  steps: StepDraft[];
}

type Field = keyof StepDraft;
type Check<Value> = (value: Value) => string | null;

const WAIT_MAX = 7_776_000;
/** In characters. */
const TEXTS_MAX: Partial<Record<StepKind, number>> = {
  send_text: 4_096,
  request_phone: 1_024,
  notify: 1_000,
};
const say = stepEditorWords.say;

/** Which step a rule of the form is asked about, by its path: `steps.3.text`. */
const stepAt = ({ steps }: Values, path: string): StepDraft | undefined => steps[Number(path.split('.')[1])];

/** Checks a field in steps of some kinds alone: in others it means nothing. */
const of =
  <Name extends Field>(check: Check<StepDraft[Name]>, ...kinds: StepKind[]) =>
  (value: StepDraft[Name], values: Values, path: string): string | null => {
    const step = stepAt(values, path);
    return step && kinds.includes(step.kind) ? check(value) : null;
  };

const json =
  (isRight: (value: unknown) => boolean): Check<string> =>
  (text) => {
    if (text.trim() === '') return null;
    try {
      return isRight(JSON.parse(text)) ? null : say('jsonWrong');
    } catch {
      return say('jsonWrong');
    }
  };
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a step goes on must be further down. */
const goesDown = (kind: StepKind) => (choice: string, values: Values, path: string) => {
  const step = stepAt(values, path);
  if (!step || step.kind !== kind || !choice.startsWith('go:')) return null;
  const below = values.steps.slice(values.steps.indexOf(step) + 1);
  return below.some(({ label }) => label.trim() === choice.slice(3)) ? null : say('goWrong');
};

export const stepChecks = {
  [formRootRule]: (steps: StepDraft[]) => (steps.length === 0 ? say('stepsNeeded') : null),
  label: (label: string, values: Values) => {
    if (label.trim() === '') return null;
    const same = values.steps.filter((step) => step.label.trim() === label.trim());
    return same.length > 1 ? say('labelTwice') : atMost(64)(label.trim());
  },
  seconds: of<'seconds'>(between(1, WAIT_MAX), 'wait', 'wait_for_reply'),
  text: (text: string, values: Values, path: string) => {
    const step = stepAt(values, path);
    const most = step && TEXTS_MAX[step.kind];
    return most === undefined ? null : filled(most)(text);
  },
  note: of<'note'>(atMost(1_000), 'hand_over'),
  template_id: of<'template_id'>(filled(512), 'send_template'),
  params: of<'params'>(
    (params) => (params.includes('') ? settingsWords.say('required') : null),
    'send_template',
  ),
  named_params: {
    name: (name: string) => (name.trim() === '' ? settingsWords.say('required') : null),
    value: (value: string) => (value === '' ? settingsWords.say('required') : null),
  },
  header: of<'header'>(json(isObject), 'send_template'),
  buttons: of<'buttons'>(json(Array.isArray), 'send_template'),
  max_late_seconds: of<'max_late_seconds'>(
    between(1, WAIT_MAX, true),
    'send_template',
    'send_text',
    'request_phone',
  ),
  time: of<'time'>(
    (time) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? null : say('timeWrong')),
    'wait_until',
  ),
  timezone: of<'timezone'>(filled(64), 'wait_until'),
  at_least_seconds: of<'at_least_seconds'>(between(0, WAIT_MAX, true), 'wait_until'),
  on_timeout: goesDown('wait_for_reply'),
  else: goesDown('condition'),
  url: of<'url'>((url) => (/^https?:\/\/[^/]/.test(url.trim()) ? null : say('urlWrong')), 'http'),
  headers: {
    name: (name: string) => (name.trim() === '' ? settingsWords.say('required') : null),
  },
  body: of<'body'>(
    json(() => true),
    'http',
  ),
};
