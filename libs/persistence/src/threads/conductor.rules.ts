import { agentConducts, takeoverRuns, type Changes } from './thread.rules';

/** Who conducts a thread: the assistant, an operator who has taken it over, or nobody: it is off, or opted out. */
export const CONDUCTORS = ['assistant', 'operator', 'off', 'optedOut'] as const;

export type Conductor = (typeof CONDUCTORS)[number];

/**
 * What happens to a thread, and who conducts it afterwards, by who did before. Statements take their conditions and
 * values from this table, and ARCHITECTURE prints it. Off stays off: only `set-ai` `true` leads back to the assistant
 * from there. An opt-out ends with the customer's START alone, and leaves the assistant off.
 */
export const CONDUCT = {
  /** `set-ai` `true`. It is refused where the customer has opted out. */
  switchedOn: { assistant: 'assistant', operator: 'assistant', off: 'assistant', optedOut: 'optedOut' },
  /** `set-ai` `false`, or a STOP that is older than the customer's last START. */
  switchedOff: { assistant: 'off', operator: 'off', off: 'off', optedOut: 'optedOut' },
  /** By `send-text` or in the phone's app. A takeover that runs begins anew. */
  operatorWrites: { assistant: 'operator', operator: 'operator', off: 'off', optedOut: 'optedOut' },
  /** The assistant hands the thread over by its tool. */
  modelHandsOver: { assistant: 'operator', operator: 'operator', off: 'off', optedOut: 'optedOut' },
  /** A scenario's step hands the thread to a person. */
  scenarioHandsOver: { assistant: 'operator', operator: 'operator', off: 'off', optedOut: 'optedOut' },
  /** A scenario's step returns it to the assistant. */
  scenarioReturns: { assistant: 'assistant', operator: 'assistant', off: 'off', optedOut: 'optedOut' },
  /** The takeover's time is over. */
  takeoverEnds: { assistant: 'assistant', operator: 'assistant', off: 'off', optedOut: 'optedOut' },
  /** The lead enters a stage whose rule is `operator`. A takeover that runs does not get shorter. */
  stageForOperator: { assistant: 'operator', operator: 'operator', off: 'off', optedOut: 'optedOut' },
  /** The lead enters a stage whose rule is `ai`. */
  stageForAssistant: { assistant: 'assistant', operator: 'assistant', off: 'off', optedOut: 'optedOut' },
  /** A STOP, or an opt-out that the provider reports. */
  customerStops: { assistant: 'optedOut', operator: 'optedOut', off: 'optedOut', optedOut: 'optedOut' },
  /** A START. */
  customerStarts: { assistant: 'assistant', operator: 'operator', off: 'off', optedOut: 'off' },
} as const satisfies Record<string, Record<Conductor, Conductor>>;

export type ConductEvent = keyof typeof CONDUCT;

/** What the row of a thread says of who conducts it. What holds for two of them comes first. */
const CONDITIONS: readonly [readonly Conductor[], (row: string, at: string) => string][] = [
  [['assistant', 'operator'], (row) => `${row}.ai_enabled`],
  [['off', 'optedOut'], (row) => `NOT ${row}.ai_enabled`],
  [['assistant'], agentConducts],
  [['operator'], (row, at) => `(${row}.ai_enabled AND ${takeoverRuns(row, at)})`],
  [['off'], (row) => `(NOT ${row}.ai_enabled AND NOT ${row}.opted_out)`],
  [['optedOut'], (row) => `${row}.opted_out`],
];

/** Whether one of the conductors that match conducts the thread of a row, at an instant. */
function isConducted(row: string, at: string, matches: (now: Conductor) => boolean): string {
  let wanted = CONDUCTORS.filter(matches);
  if (wanted.length === CONDUCTORS.length) return 'true';
  const found: string[] = [];
  for (const [conductors, condition] of CONDITIONS) {
    if (!conductors.every((conductor) => wanted.includes(conductor))) continue;
    found.push(condition(row, at));
    wanted = wanted.filter((conductor) => !conductors.includes(conductor));
  }
  if (found.length === 0) return 'false';
  return found.length === 1 ? String(found[0]) : `(${found.join(' OR ')})`;
}

/** Whether a conductor conducts the thread after an event, by its row before. */
export const comesTo = (event: ConductEvent, to: Conductor, row: string, at: string): string =>
  isConducted(row, at, (now) => CONDUCT[event][now] === to);

/** Whether an event brings the thread to a conductor who did not conduct it before. */
export const passesTo = (event: ConductEvent, to: Conductor, row: string, at: string): string =>
  isConducted(row, at, (now) => now !== to && CONDUCT[event][now] === to);

/** Whether an event changes who conducts the thread. */
export const changesConductor = (event: ConductEvent, row: string, at: string): string =>
  isConducted(row, at, (now) => now !== CONDUCT[event][now]);

/**
 * A value of `takeover_until` after an event. Only an operator's takeover has an end.
 * @param until the end where an operator conducts afterwards; default: that of the takeover that runs
 */
export const takeoverAfter = (
  event: ConductEvent,
  row: string,
  at: string,
  until = `${row}.takeover_until`,
): string => `CASE WHEN ${comesTo(event, 'operator', row, at)} THEN ${until} END`;

/** How a thread changes by the first of several events whose condition holds; by none, it stays as it is. */
export function conductAfter(
  row: string,
  at: string,
  events: readonly { event: ConductEvent; when: string }[],
): Pick<Changes, 'ai_enabled' | 'opted_out' | 'takeover_until'> {
  const valueOf = (column: keyof Changes, after: (event: ConductEvent) => string): string =>
    `CASE ${events.map(({ event, when }) => `WHEN ${when} THEN ${after(event)}`).join(' ')} ELSE ${row}.${column} END`;
  return {
    ai_enabled: valueOf('ai_enabled', (event) =>
      isConducted(row, at, (now) => ['assistant', 'operator'].includes(CONDUCT[event][now])),
    ),
    opted_out: valueOf('opted_out', (event) => comesTo(event, 'optedOut', row, at)),
    takeover_until: valueOf('takeover_until', (event) => takeoverAfter(event, row, at)),
  };
}
