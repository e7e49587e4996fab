import {
  ReplyTurnRepository,
  type HeldTurn,
  type SilenceReason,
} from '@app/persistence/agent/reply-turn.repository';
import { Injectable, Logger } from '@nestjs/common';

/** Between two looks at what silences an agent, wherever it was done. Abort is promised within 300 ms (promises.md). */
const LOOK_EVERY_MS = 100;
const HOLD_EVERY_MS = 2_000;
/** What a killed process had begun is another's after so long. */
export const LEASE_MS = 10_000;

/** A turn that this process works on, until it is let go. */
export class WatchedTurn {
  private readonly controller = new AbortController();
  closed: SilenceReason | null = null;

  constructor(readonly held: HeldTurn) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The process ends: the turn goes on elsewhere. */
  halt(): void {
    this.controller.abort();
  }

  /** The first reason stands. */
  close(reason: SilenceReason): void {
    this.closed ??= reason;
    this.controller.abort();
  }
}

/**
 * Looks for all turns of this process together whether they may go on, and keeps their leases. What was committed on
 * any process is seen by the next look, with or without a notice.
 */
@Injectable()
export class TurnWatch {
  private readonly logger = new Logger(TurnWatch.name);
  private readonly turns = new Map<string, WatchedTurn>();
  private timer: NodeJS.Timeout | null = null;
  private heldAt = 0;
  private failing = false;

  constructor(private readonly repository: ReplyTurnRepository) {}

  watch(held: HeldTurn): WatchedTurn {
    const turn = new WatchedTurn(held);
    this.turns.set(keyOf(held), turn);
    this.timer ??= setTimeout(() => void this.look(), LOOK_EVERY_MS);
    return turn;
  }

  forget({ held }: WatchedTurn): void {
    this.turns.delete(keyOf(held));
  }

  private async look(): Promise<void> {
    const held = [...this.turns.values()].map((turn) => turn.held);
    try {
      if (held.length > 0) {
        const closed = new Map((await this.repository.look(held)).map((row) => [row.turnId, row.closed]));
        for (const turn of held) {
          const reason = closed.get(turn.turnId);
          if (reason) this.turns.get(keyOf(turn))?.close(reason);
        }
        if (performance.now() - this.heldAt > HOLD_EVERY_MS) {
          this.heldAt = performance.now();
          await this.repository.hold(held, LEASE_MS);
        }
      }
      this.failing = false;
    } catch (error) {
      // The gate looks again before anything is said.
      if (!this.failing)
        this.logger.warn({ err: error }, 'Whether replies may go on cannot be looked at; it is tried again.');
      this.failing = true;
    }
    this.timer = this.turns.size > 0 ? setTimeout(() => void this.look(), LOOK_EVERY_MS) : null;
  }
}

const keyOf = ({ turnId, token }: HeldTurn): string => `${turnId}/${token}`;
