import type { CreateScenarioRequest, ScenarioAnswer } from '@app/client/api-types';
import { between, filled } from '../parts/forms/field-checks.format';
import { scenariosWords } from './scenarios.words';
import { stepChecks } from './steps/step-checks.format';
import { draftOf, ownTimezone, stepOf, type StepDraft } from './steps/step-draft.format';

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
  send_hours: {
    timezone: string;
    spans: { weekdays: string[]; from: string; to: string }[];
    /** As it is typed, a date a line. */
    closed: string;
  };
  steps: StepDraft[];
}

const WORKING_DAYS = ['1', '2', '3', '4', '5'];

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
  send_hours: { timezone: ownTimezone(), spans: [newSpan()], closed: '' },
  steps: [],
});

export const newSpan = () => ({ weekdays: WORKING_DAYS, from: '09:00', to: '18:00' });

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
  send_hours: scenario.send_hours
    ? {
        timezone: scenario.send_hours.timezone,
        spans: scenario.send_hours.spans.map((span) => ({ ...span, weekdays: span.weekdays.map(String) })),
        closed: scenario.send_hours.closed.join('\n'),
      }
    : { timezone: ownTimezone(), spans: [newSpan()], closed: '' },
  steps: scenario.steps.map(draftOf),
});

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

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
      ? {
          timezone: values.send_hours.timezone.trim(),
          spans: values.send_hours.spans.map((span) => ({
            ...span,
            weekdays: span.weekdays.map(Number).sort(),
          })),
          closed: linesOf(values.send_hours.closed),
        }
      : null,
    steps: values.steps.map(stepOf),
  }) satisfies Omit<CreateScenarioRequest, 'status_id'>;

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const ifHours =
  <Value>(check: (value: Value) => string | null) =>
  (value: Value, { has_hours: counts }: ScenarioValues): string | null =>
    counts ? check(value) : null;
const say = scenariosWords.say;

export const scenarioChecks = {
  name: filled(200),
  cooldown_seconds: between(0, 15_552_000),
  order: between(0, 10_000, true),
  send_hours: {
    timezone: ifHours(filled(64)),
    spans: {
      weekdays: ifHours((days: string[]) => (days.length === 0 ? say('dayNeeded') : null)),
      from: ifHours((time: string) => (CLOCK.test(time) ? null : say('timeWrong'))),
      to: ifHours((time: string) => (CLOCK.test(time) || time === '24:00' ? null : say('timeWrong'))),
    },
    closed: ifHours((text: string) =>
      linesOf(text).every((line) => /^\d{4}-\d{2}-\d{2}$/.test(line)) ? null : say('closedWrong'),
    ),
  },
  steps: stepChecks,
};

/** The paths of the server's violations, by the fields of the form. */
export const toScenarioField = (path: string): string =>
  path
    .replace(/^(steps\.\d+\.(?:on_timeout|else|headers|header|buttons|body|named_params))\b.*/, '$1')
    .replace(/^send_hours\.closed\b.*/, 'send_hours.closed');
