import type { CreateScenarioRequest, ScenarioAnswer } from '@app/client/api-types';
import { formRootRule } from '@mantine/form';
import { between, filled, atMost } from '../parts/forms/field-checks.format';
import {
  hoursChecks,
  hoursDraftOf,
  hoursOf,
  toHoursField,
  type HoursDraft,
} from '../parts/forms/hours.format';
import { settingsWords } from '../settings.words';
import { draftOf, ownTimezone, stepOf, type StepDraft, type StepKind } from './steps/step-draft.format';
import { stepEditorWords } from './steps/step-editor.words';

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

const stepChecks = {
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

/** What stands in the form. */
export interface ScenarioValues {
  status_id: string;
  name: string;
  state: ScenarioAnswer['state'];
  on_leave: ScenarioAnswer['on_leave'];
  on_reply: ScenarioAnswer['on_reply'];
  on_takeover: ScenarioAnswer['on_takeover'];
  reentry: ScenarioAnswer['reentry'];
  cooldown_seconds: number | null;
  order: number | null;
  /** Of a change alone: what becomes of runs under way. */
  running: 'keep' | 'cancel';
  has_hours: boolean;
  send_hours: HoursDraft & { timezone: string };
  steps: StepDraft[];
}

/** Made switched off, so that it can be tried before it writes to anybody. */
export const newScenario = (stageId: string): ScenarioValues => ({
  status_id: stageId,
  name: '',
  state: 'off',
  on_leave: 'cancel',
  on_reply: 'continue',
  on_takeover: 'wait',
  reentry: 'restart',
  cooldown_seconds: 0,
  order: null,
  running: 'keep',
  has_hours: false,
  send_hours: { timezone: ownTimezone(), ...hoursDraftOf(null) },
  steps: [],
});

export const valuesOfScenario = (scenario: ScenarioAnswer): ScenarioValues => ({
  status_id: scenario.status_id,
  name: scenario.name,
  state: scenario.state,
  on_leave: scenario.on_leave,
  on_reply: scenario.on_reply,
  on_takeover: scenario.on_takeover,
  reentry: scenario.reentry,
  cooldown_seconds: scenario.cooldown_seconds,
  order: scenario.order,
  running: 'keep',
  has_hours: scenario.send_hours !== null,
  send_hours: {
    timezone: scenario.send_hours?.timezone ?? ownTimezone(),
    ...hoursDraftOf(scenario.send_hours),
  },
  steps: scenario.steps.map(draftOf),
});

/** As the operation takes it, where the form has no violations. */
export const requestOfScenario = (values: ScenarioValues) =>
  ({
    name: values.name.trim(),
    state: values.state,
    on_leave: values.on_leave,
    on_reply: values.on_reply,
    on_takeover: values.on_takeover,
    reentry: values.reentry,
    cooldown_seconds: values.cooldown_seconds ?? 0,
    ...(values.order !== null && { order: values.order }),
    send_hours: values.has_hours
      ? { timezone: values.send_hours.timezone.trim(), ...hoursOf(values.send_hours) }
      : null,
    steps: values.steps.map(stepOf),
  }) satisfies Omit<CreateScenarioRequest, 'status_id'>;

const hasHours = ({ has_hours: has }: ScenarioValues): boolean => has;

export const scenarioChecks = {
  name: filled(200),
  cooldown_seconds: between(0, 15_552_000),
  order: between(0, 10_000, true),
  send_hours: {
    timezone: (zone: string, values: ScenarioValues) => (hasHours(values) ? filled(64)(zone) : null),
    ...hoursChecks(hasHours),
  },
  steps: stepChecks,
};

/** The paths of the server's violations, by the fields of the form. */
export const toScenarioField = (path: string): string =>
  toHoursField(
    path.replace(/^(steps\.\d+\.(?:on_timeout|else|headers|header|buttons|body|named_params))\b.*/, '$1'),
    'send_hours',
  );
