import type { CreateScenarioRequest, ScenarioAnswer } from '@app/client/api-types';
import { between, filled } from '../parts/forms/field-checks.format';
import {
  hoursChecks,
  hoursDraftOf,
  hoursOf,
  toHoursField,
  type HoursDraft,
} from '../parts/forms/hours.format';
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
