import type { Card } from '@app/contracts/board.events';

/** What of a dialog decides who answers in it. */
export type Switched = Pick<
  Card,
  | 'ai_enabled'
  | 'takeover_until'
  | 'opted_out'
  | 'erased_at'
  | 'waiting'
  | 'last_message'
  | 'conducted_elsewhere'
>;

/**
 * Who answers now, and until when:
 * - erased: nobody, there is no customer any more;
 * - optedOut: nobody, but by an approved template;
 * - off: people, until somebody switches the agent on, whether a takeover runs besides or not;
 * - elsewhere: another AI on the number, until the dialog is passed or taken back;
 * - muted: people, as long as the lead is at this stage;
 * - takeover: people, until the agent returns by itself;
 * - on: the agent.
 */
export type SwitchState =
  | { kind: 'erased' | 'optedOut' | 'off' | 'elsewhere' | 'muted' | 'on' }
  | { kind: 'takeover'; leftMs: number };

/** Says who answers now. What lasts longer comes first. @param isMuted the stage silences the agent */
export function switchState(dialog: Switched, isMuted: boolean, now: number): SwitchState {
  if (dialog.erased_at !== null) return { kind: 'erased' };
  if (dialog.opted_out) return { kind: 'optedOut' };
  if (!dialog.ai_enabled) return { kind: 'off' };
  if (dialog.conducted_elsewhere) return { kind: 'elsewhere' };
  if (isMuted) return { kind: 'muted' };
  const leftMs = takeoverLeft(dialog, now);
  return leftMs > 0 ? { kind: 'takeover', leftMs } : { kind: 'on' };
}

/** What becomes of the message that waits when the agent is switched on. */
export type WaitingForecast = 'answers' | 'muted' | 'tooOld';

const DAY_MS = 24 * 3_600_000;

/** Null where nothing waits, or where switching on is of no use or not possible. */
export function waitingForecast(dialog: Switched, isMuted: boolean, now: number): WaitingForecast | null {
  const isSilenced = !dialog.ai_enabled || dialog.conducted_elsewhere || takeoverLeft(dialog, now) > 0;
  if (!dialog.waiting || !isSilenced || dialog.opted_out || dialog.erased_at !== null) return null;
  if (isMuted) return 'muted';
  const wroteAt = dialog.last_message && Date.parse(dialog.last_message.created_at);
  return wroteAt !== null && now - wroteAt > DAY_MS ? 'tooOld' : 'answers';
}

/** Milliseconds of a takeover that are left; 0: none runs. */
const takeoverLeft = ({ takeover_until: until }: Pick<Card, 'takeover_until'>, now: number): number =>
  until === null ? 0 : Math.max(0, Date.parse(until) - now);
