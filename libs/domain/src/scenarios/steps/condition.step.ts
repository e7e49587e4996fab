import type { FieldViolation } from '@app/contracts/coded.errors';
import { CHANNELS } from '@app/contracts/message.words';
import {
  CONDITION_FACTS,
  LAST_SEND_STATES,
  type ConditionFact,
  type ConditionStep,
} from '@app/contracts/scenario.words';
import { STAGE_KINDS } from '@app/contracts/stage.words';
import { isObject } from '@app/contracts/json-object';
import type { Decision, StepKindRules, StepMoment } from './step-decision';
import { violation, wordOrGoTo, type FieldCheck, type StepFields } from './step-fields';

const FACTS_MAX = 20;
const A_FACT = '{ "fact": "replied", "is": true }';
const YES_OR_NO = [true, false] as const;

/** What each fact may be. */
const VALUES: Readonly<Record<ConditionFact, readonly (boolean | string)[]>> = {
  in_stage: YES_OR_NO,
  replied: YES_OR_NO,
  window_open: YES_OR_NO,
  waiting: YES_OR_NO,
  handler: ['AI', 'OPERATOR'],
  channel: CHANNELS,
  kind: STAGE_KINDS,
  last_send: LAST_SEND_STATES,
};

const factOf = (item: unknown, path: string): FieldViolation[] => {
  if (!isObject(item)) return violation(path, `must be an object such as ${A_FACT}`);
  const fact = CONDITION_FACTS.find((known) => known === item.fact);
  if (fact === undefined) return violation(`${path}.fact`, `must be one of ${CONDITION_FACTS.join(', ')}`);
  if (VALUES[fact].some((value) => value === item.is)) return [];
  return violation(`${path}.is`, `must be ${VALUES[fact].join(' or ')}`);
};

const factsOf: FieldCheck = (value, path) =>
  Array.isArray(value) && value.length > 0 && value.length <= FACTS_MAX
    ? value.flatMap((item, index) => factOf(item, `${path}[${index}]`))
    : violation(path, `must be an array of 1 to ${FACTS_MAX} facts such as ${A_FACT}`);

const FACTS: Readonly<Record<ConditionFact, (at: StepMoment) => boolean | string | null>> = {
  in_stage: ({ inStage }) => inStage,
  replied: ({ replied }) => replied,
  window_open: ({ dialog }) => dialog.windowOpen,
  waiting: ({ dialog }) => dialog.waiting,
  handler: ({ dialog }) => dialog.handler,
  channel: ({ dialog }) => dialog.channel,
  kind: ({ dialog }) => dialog.statusKind,
  last_send: ({ lastSend }) => lastSend,
};

/** Passes where all facts are as they are expected; else the run ends, or continues further down. */
export class ConditionRules implements StepKindRules<ConditionStep> {
  readonly kind = 'condition';
  readonly fields: StepFields<ConditionStep> = { all: factsOf, else: wordOrGoTo(['stop']) };

  decide({ all, else: otherwise }: ConditionStep, at: StepMoment): Decision {
    const since = at.dueSince;
    if (all.every(({ fact, is }) => FACTS[fact](at) === is)) return { kind: 'done', since };
    return otherwise === 'stop' ? { kind: 'stop' } : { kind: 'go', label: otherwise.go, since };
  }
}
