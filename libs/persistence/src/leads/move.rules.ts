import type { MessageHandler } from '@app/contracts/lead.words';
import type { StageRule } from '@app/contracts/stage.words';
import { passesTo, takeoverAfter, type ConductEvent, type Conductor } from '../threads/conductor.rules';
import { beginTakeover, set, type Changes } from '../threads/thread.rules';
import { changed, type Entry } from '../threads/thread-log.statements';

/** The rules of a move, each once: both statements that move a lead are composed of them, and so is the preview. */

export type MoveVerdict = 'move' | 'same' | 'conflict' | 'no_stage';

interface AskedMove {
  /** The stage asked for, or null; and the assistant whose stage it is. */
  target: string;
  targetOf: string;
  /** Whether the caller says where the lead stands, and where. */
  hasExpected: string;
  expected: string;
}

/** What becomes of a move of a locked thread: the first that applies. */
export const verdictOf = (thread: string, { target, targetOf, hasExpected, expected }: AskedMove): string => `
           CASE WHEN ${target} IS NOT NULL AND ${thread}.assistant_id IS DISTINCT FROM ${targetOf} THEN 'no_stage'
                WHEN ${thread}.status_id IS NOT DISTINCT FROM ${target} THEN 'same'
                WHEN ${hasExpected} AND ${thread}.status_id IS DISTINCT FROM ${expected} THEN 'conflict'
                ELSE 'move' END`;

/** The columns of `threads` that say where a lead stands, since when and by whom. */
export const standing = (target: string, at: string, setBy: string) =>
  ({
    status_id: target,
    status_set_at: `CASE WHEN ${target} IS NULL THEN NULL ELSE ${at} END`,
    status_set_by: `CASE WHEN ${target} IS NULL THEN NULL ELSE ${setBy} END`,
    status_cleared_at: `CASE WHEN ${target} IS NULL THEN ${at} END`,
  }) as const satisfies Changes;

/** The same as values of SET. */
export const standsAt = (target: string, at: string, setBy: string): string =>
  set(standing(target, at, setBy));

const BY_RULE: Readonly<Record<StageRule, ConductEvent>> = {
  operator: 'stageForOperator',
  ai: 'stageForAssistant',
};

/** What each rule of a stage makes of a thread; a stage without a rule leaves it as it is. */
const byRule = (rule: string, valueOf: (event: ConductEvent) => string, otherwise: string): string => {
  const values = Object.entries(BY_RULE).map(([name, event]) => `WHEN '${name}' THEN ${valueOf(event)}`);
  return `CASE ${rule} ${values.join('\n             ')} ELSE ${otherwise} END`;
};

const HANDLERS: Readonly<Record<MessageHandler, Conductor>> = { OPERATOR: 'operator', AI: 'assistant' };

/** To whom the rule hands the dialog of the decided move `d`; null where that changes nothing. */
export const handsTo = (d: string, rule: string): string => {
  const passes = (event: ConductEvent): string[] =>
    Object.entries(HANDLERS).map(
      ([handler, conductor]) => `WHEN ${passesTo(event, conductor, d, `${d}.at`)} THEN '${handler}'`,
    );
  return byRule(rule, (event) => `CASE ${passes(event).join(' ')} END`, 'NULL');
};

/** A value of `takeover_until` of the thread `t`. A takeover that runs does not get shorter. */
export const takeoverByRule = (t: string, d: string, rule: string): string => {
  const until = `greatest(${t}.takeover_until, ${beginTakeover(t, `${d}.at`)})`;
  return byRule(rule, (event) => takeoverAfter(event, d, `${d}.at`, until), `${t}.takeover_until`);
};

/** The entries of the moved thread `t`: of its stage, and of who has it by the stage's rule. */
export const MOVE_ENTRIES: readonly Entry[] = [
  { type: `'status'`, body: changed('t.from_status::text', 't.to_status::text') },
  {
    type: `'handler'`,
    step: '1',
    body: changed(`CASE t.hands_to WHEN 'AI' THEN 'OPERATOR' ELSE 'AI' END`, 't.hands_to'),
    when: 't.hands_to IS NOT NULL',
  },
];
