import { ReplyRepository, type HeldReply } from '@app/persistence/agent/reply.repository';
import { Injectable, Logger } from '@nestjs/common';
import { WORK_TIMES } from '../work/work-times';
import type { ReplyRun } from './reply-run';

/**
 * How often the watch checks whether an agent was silenced by any process. A reply must be aborted within 300 ms.
 */
const LOOK_EVERY_MS = 100;
/** Renewals within one lease, so that a failed one loses nothing. */
const RENEWALS = 3;

/**
 * Checks for all replies of this process together whether they may continue, and renews their leases. The check sees
 * what any process has committed, so it needs no notification.
 */
@Injectable()
export class ReplyWatch {
  private readonly logger = new Logger(ReplyWatch.name);
  private readonly runs = new Map<string, ReplyRun>();
  private timer: NodeJS.Timeout | null = null;
  private heldAt = 0;
  private failing = false;

  constructor(private readonly repository: ReplyRepository) {}

  watch(run: ReplyRun): void {
    this.runs.set(keyOf(run.held), run);
    this.timer ??= setTimeout(() => void this.look(), LOOK_EVERY_MS);
  }

  forget({ held }: ReplyRun): void {
    this.runs.delete(keyOf(held));
  }

  private async look(): Promise<void> {
    const held = Array.from(this.runs.values(), (run) => run.held);
    try {
      if (held.length > 0) {
        // By the token too: a process that lost a reply may have claimed it again.
        for (const silenced of await this.repository.look(held)) {
          this.runs.get(keyOf(silenced))?.silence(silenced.closed);
        }
        if (performance.now() - this.heldAt > WORK_TIMES.leaseMs / RENEWALS) {
          this.heldAt = performance.now();
          await this.repository.hold(held, WORK_TIMES.leaseMs);
        }
      }
      this.failing = false;
    } catch (error) {
      // The gate checks again before anything is sent.
      if (!this.failing)
        this.logger.warn({ err: error }, 'Whether replies may go on cannot be looked at; it is tried again.');
      this.failing = true;
    }
    this.timer = this.runs.size > 0 ? setTimeout(() => void this.look(), LOOK_EVERY_MS) : null;
  }
}

const keyOf = ({ replyId, token }: Pick<HeldReply, 'replyId' | 'token'>): string => `${replyId}/${token}`;
