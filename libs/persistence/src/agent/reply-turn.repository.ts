import type { AttentionReason } from '@app/contracts/attention.words';
import type { Channel } from '@app/contracts/message.words';
import type { StageKind } from '@app/contracts/stage.kinds';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { CLAIM, DUE, FINISH, HOLD, LATER, LOOK, PURGE, SPEND_TOOL_CALL } from './reply-turn.statements';

/** Which reply: ids of the account and of its turn. */
export interface TurnKey {
  accountId: string;
  turnId: string;
}

/** A turn that one process works on. */
export interface HeldTurn extends TurnKey {
  token: string;
}

/**
 * Why the agent may not speak: `off`, `opt_out`, `takeover`, `stage` (it mutes); `newer_message` of the customer;
 * `answered` by somebody else; `too_old` (a day); `limit` (so many replies in an hour); `superseded` (switched off and on
 * again, or another process's turn by now).
 */
export type SilenceReason =
  | 'off'
  | 'opt_out'
  | 'takeover'
  | 'stage'
  | 'newer_message'
  | 'answered'
  | 'too_old'
  | 'limit'
  | 'superseded';

/** A claimed turn with its dialog and what its agent is told. */
export interface ClaimedTurn {
  thread_id: string;
  message_id: string;
  epoch: number;
  /** Claims so far, this one included. */
  attempts: number;
  /** Tries in which the model failed. */
  model_failures: number;
  /** Parts that were handed off before, by a process that died. */
  parts: number;
  closed: SilenceReason | null;
  /** Whether the agent moved the lead in an earlier try of this turn. */
  moved: boolean;
  assistant_id: string;
  bot_id: string;
  channel: Channel;
  phone: string | null;
  recipient: string;
  customer_name: string | null;
  status_id: string | null;
  /** The provider's id of the customer's message. */
  provider_id: string | null;
  instructions: string;
  model: string | null;
  reply_parts_max: number;
  reply_characters_max: number;
  barred_kinds: StageKind[];
  handover_text: string | null;
}

/** How a turn ends. */
export interface TurnEnd {
  state: 'answered' | 'discarded' | 'failed';
  /** What the dialog's history tells of it, and with `attention` the card, which asks for an operator; null: nothing. */
  entry:
    | { type: 'reply_discarded'; reason: SilenceReason }
    | { type: 'attention'; reason: AttentionReason; note: string | null }
    | null;
}

/** That a turn is tried again later. */
export interface PutOff {
  inMs: number;
  /** Whether the `model` failed, the `claim` counts alone, or `nothing` does, because nobody and nothing failed. */
  counts: 'model' | 'claim' | 'nothing';
}

/** Reply turns of all accounts: work of the service itself. */
@Injectable()
export class ReplyTurnRepository {
  constructor(private readonly database: Database) {}

  /** Turns that nobody works on and whose time has come; of one account no more than it may have at once. */
  async due(perAccount: number): Promise<TurnKey[]> {
    return this.database.run<TurnKey>(DUE, [perAccount]);
  }

  /** @returns null when there is nothing to do: it is over, somebody else's, not due, or its account has its fill. */
  async claim(
    { accountId, turnId, token }: HeldTurn,
    leaseMs: number,
    perAccount: number,
  ): Promise<ClaimedTurn | null> {
    const values = [accountId, turnId, token, leaseMs, perAccount];
    const [row] = await this.database.run<ClaimedTurn>(CLAIM, values);
    return row ?? null;
  }

  /** Deletes turns that are long over, of all accounts, at most so many. @returns how many these were. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, [limit])).length;
  }

  /** Of these turns, those that may not go on, and why. */
  async look(turns: readonly HeldTurn[]): Promise<{ turnId: string; closed: SilenceReason }[]> {
    return this.database.run(LOOK, columnsOf(turns));
  }

  /**
   * Counts one call of a tool before it is made.
   * @returns false when the turn has had its calls or is not held any more, or the agent may not speak by it.
   */
  async spendToolCall({ accountId, turnId, token }: HeldTurn, most: number): Promise<boolean> {
    return (await this.database.run(SPEND_TOOL_CALL, [accountId, turnId, token, most])).length > 0;
  }

  /** Moves the ends of leases on. */
  async hold(turns: readonly HeldTurn[], leaseMs: number): Promise<void> {
    await this.database.run(HOLD, [...columnsOf(turns), leaseMs]);
  }

  /** Lets the turn be tried again later. Nothing of it went out. */
  async later({ accountId, turnId, token }: HeldTurn, { inMs, counts }: PutOff): Promise<void> {
    await this.database.run(LATER, [accountId, turnId, token, inMs, counts]);
  }

  /**
   * Ends the turn. A turn that is not held by that token any more is another's: only that its reply was discarded here is
   * told, for that has happened.
   */
  async finish({ accountId, turnId, token }: HeldTurn, threadId: string, end: TurnEnd): Promise<void> {
    const { state, entry } = end;
    const values = [
      accountId,
      threadId,
      turnId,
      token,
      state,
      entry?.type ?? null,
      entry?.reason ?? null,
      entry?.type === 'attention' ? entry.note : null,
    ];
    await this.database.run(FINISH, values);
  }
}

const columnsOf = (turns: readonly HeldTurn[]): string[][] => [
  turns.map(({ accountId }) => accountId),
  turns.map(({ turnId }) => turnId),
  turns.map(({ token }) => token),
];
