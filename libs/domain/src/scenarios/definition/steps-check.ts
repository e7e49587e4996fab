import type { FieldViolation } from '@app/contracts/coded.errors';
import { isObject } from '@app/contracts/json-object';
import { ON_FAILURE, SCENARIO_LIMITS, STEP_KINDS, type StepKind } from '@app/contracts/scenario.words';
import {
  SCENARIO_ORDER_MAX,
  type NewScenario,
} from '@app/persistence/scenarios/definition/scenario.repository';
import { oneOf, optional, violation, word, type GivenStep, type StepPlace } from '../steps/step-fields';
import { STEP_RULES } from '../steps/step-table';

const LABEL_LONGEST = 64;

const label = optional(word(LABEL_LONGEST));
const onFailure = optional(oneOf(ON_FAILURE));

const kindOf = ({ kind }: GivenStep): StepKind | null => STEP_KINDS.find((known) => known === kind) ?? null;

/**
 * Violations of a scenario's steps as an admin gives them, each with its path.
 * @param surroundings what the steps may name besides each other
 */
export function violationsOfSteps(
  steps: readonly unknown[],
  surroundings: Pick<StepPlace, 'stageIds' | 'otherStages' | 'userIds' | 'violationOfUrl'>,
): FieldViolation[] {
  if (steps.length === 0 || steps.length > SCENARIO_LIMITS.stepsMax) {
    return violation('steps', `must be an array of 1 to ${SCENARIO_LIMITS.stepsMax} steps`);
  }
  const labels = steps.map((step) => (isObject(step) ? step.label : undefined));
  return steps.flatMap((step, index) => {
    const path = `steps[${index}]`;
    if (!isObject(step)) {
      return violation(path, 'must be an object with a kind, such as { "kind": "wait", "seconds": 60 }');
    }
    const below = labels.slice(index + 1).filter((each) => typeof each === 'string');
    const at = { ...surroundings, step, labelsBelow: new Set(below) };
    const first = step.label === undefined ? index : labels.indexOf(step.label);
    const isRepeated = `is the label of steps[${first}] too: each must have its own`;
    return [...(first < index ? violation(`${path}.label`, isRepeated) : []), ...violationsOfStep(path, at)];
  });
}

function violationsOfStep(path: string, at: StepPlace): FieldViolation[] {
  const { step } = at;
  const common = [
    ...label(step.label, `${path}.label`, at),
    ...onFailure(step.on_failure, `${path}.on_failure`, at),
  ];
  const kind = kindOf(step);
  if (kind === null) {
    const message = step.kind === undefined ? 'is required' : 'is not known';
    return [...violation(`${path}.kind`, `${message}: there are ${STEP_KINDS.join(', ')}`), ...common];
  }
  const checks = Object.entries(STEP_RULES[kind].fields);
  return [...common, ...checks.flatMap(([field, check]) => check(step[field], `${path}.${field}`, at))];
}

/**
 * A step without violations, with the fields that mean something in it.
 */
export function keptStep(step: GivenStep): GivenStep {
  const kind = kindOf(step);
  if (kind === null) throw new Error('a step of an unknown kind is kept');
  const fields = ['kind', 'label', ...Object.keys(STEP_RULES[kind].fields), 'on_failure'];
  return Object.fromEntries(
    fields.filter((field) => step[field] !== undefined).map((field) => [field, step[field]]),
  );
}

/** The defaults of a new scenario. */
export const SCENARIO_DEFAULTS: Readonly<Omit<NewScenario, 'name'>> = {
  state: 'on',
  order: null,
  on_leave: 'cancel',
  on_reply: 'continue',
  on_takeover: 'wait',
  reentry: 'restart',
  cooldown_seconds: 0,
  send_hours: null,
};

/** Longest name, in characters. */
export const SCENARIO_NAME_LONGEST = 200;
/** Least and most of its position. */
export const SCENARIO_ORDER: [least: number, most: number] = [0, SCENARIO_ORDER_MAX];
/** Runs are what says when a scenario last began, so it cannot exceed the time for which they are kept. */
export const COOLDOWN_SECONDS_MAX = SCENARIO_LIMITS.runsKeptDays * 86_400;
