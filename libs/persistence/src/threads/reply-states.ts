import { listed, type States } from '../database/sql.statements';

/**
 * The states of a reply, each with those that may follow it. Statements take their conditions from this table, so a change
 * that is not in it does not happen. Why a reply ends as it does is another table: `reply-end.rules.ts` of the domain.
 */
export const REPLY_STATES = {
  /** It is to be made, or is being made. It stays due when it is tried again later, or taken up in another epoch. */
  due: ['due', 'answered', 'discarded', 'failed'],
  /** Something of it was said, or may have been. Where nothing of that arrived, its message waits, and may be taken up again. */
  answered: ['due'],
  /** The agent was silenced before anything was said: its message may be taken up again. */
  discarded: ['due'],
  /** Nothing was said, and an operator is asked for: its message may be taken up again. */
  failed: ['due'],
} as const satisfies States;

export type ReplyState = keyof typeof REPLY_STATES;

/** The states in which the work on a reply ends. */
export type EndState = Exclude<(typeof REPLY_STATES)['due'][number], 'due'>;

const CHANGES = Object.entries(REPLY_STATES).flatMap(([from, states]) => states.map((to) => ({ from, to })));

/** Whether a reply in one state may come to another; both are expressions. */
export const mayBecome = (from: string, to: string): string =>
  `(${from}, ${to}) IN (${CHANGES.map((change) => `(${listed([change.from, change.to])})`).join(', ')})`;

/** Whether a reply that is over may be due again, by its state. */
export const mayBeDueAgain = (state: string): string =>
  `${state} IN (${listed(CHANGES.filter(({ from, to }) => from !== 'due' && to === 'due').map(({ from }) => from))})`;
