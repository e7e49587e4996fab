import type { MessageHandler } from '@app/contracts/lead.words';
import type { StageRule } from '@app/contracts/stage.rules';
import { agentConducts, beginTakeover, endTakeover, takeoverRuns } from '../threads/thread.rules';

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

/** The columns of `threads` that say where a lead stands, since when and by whom: values of SET. */
export const standsAt = (target: string, at: string, setBy: string): string => `
           status_id = ${target},
           status_set_at = CASE WHEN ${target} IS NULL THEN NULL ELSE ${at} END,
           status_set_by = CASE WHEN ${target} IS NULL THEN NULL ELSE ${setBy} END`;

/** A run of each scenario that the entered stage starts. `m` is the moved thread, whose account `account` is. */
export const startRuns = (account: string, mayStart: string): string => `
    INSERT INTO scenario_runs (account_id, thread_id, status_id, scenario_id, version)
    SELECT ${account}, m.id, s.status_id, s.id, m.version FROM moved m
      JOIN scenarios s ON s.account_id = ${account} AND s.status_id = m.to_status AND s.enabled
     WHERE ${mayStart}`;

/** Who conducts a dialog when its lead enters a stage: the agent, a person who took it over, or nobody, the agent being off. */
const CONDUCTORS = {
  agent: (d: string): string => agentConducts(d, `${d}.at`),
  person: (d: string): string => `${d}.ai_enabled AND ${takeoverRuns(d, `${d}.at`)}`,
  nobody: (d: string): string => `NOT ${d}.ai_enabled`,
};
type Conductor = keyof typeof CONDUCTORS;

interface Entrance {
  /** What becomes of the takeover. One that begins never shortens the one that runs. */
  takeover: 'begins' | 'ends' | 'stays';
  /** To whom the dialog is handed over, which is an entry of its history; null: to nobody new. */
  handsTo: MessageHandler | null;
}

/**
 * What a stage's rule does when a lead enters it. ARCHITECTURE prints this table. Off stays off: no rule hands a dialog to an
 * agent that is off. A stage without a rule does nothing.
 */
export const ON_ENTER: Readonly<Record<StageRule, Readonly<Record<Conductor, Entrance>>>> = {
  operator: {
    agent: { takeover: 'begins', handsTo: 'OPERATOR' },
    person: { takeover: 'begins', handsTo: null },
    nobody: { takeover: 'stays', handsTo: null },
  },
  ai: {
    agent: { takeover: 'ends', handsTo: null },
    person: { takeover: 'ends', handsTo: 'AI' },
    nobody: { takeover: 'ends', handsTo: null },
  },
};

/** A CASE over the table; what it does not name is the last value. */
function byTable(d: string, rule: string, valueOf: (entrance: Entrance) => string | null, otherwise: string) {
  const rows = Object.entries(ON_ENTER).flatMap(([name, byConductor]) =>
    Object.entries(byConductor).flatMap(([conductor, entrance]) => {
      const value = valueOf(entrance);
      const applies = CONDUCTORS[conductor as Conductor](d);
      return value === null ? [] : [`WHEN ${rule} = '${name}' AND ${applies} THEN ${value}`];
    }),
  );
  return `CASE ${rows.join('\n             ')}\n             ELSE ${otherwise} END`;
}

/** To whom the rule hands the dialog of the decided move `d`; null where that changes nothing. */
export const handsTo = (d: string, rule: string): string =>
  byTable(d, rule, (entrance) => entrance.handsTo && `'${entrance.handsTo}'`, 'NULL');

/** A value of `takeover_until` of the thread `t`. */
export const takeoverAfter = (t: string, d: string, rule: string): string => {
  const values = {
    begins: `greatest(${t}.takeover_until, ${beginTakeover(t, `${d}.at`)})`,
    ends: endTakeover,
    stays: null,
  };
  return byTable(d, rule, ({ takeover }) => values[takeover], `${t}.takeover_until`);
};
