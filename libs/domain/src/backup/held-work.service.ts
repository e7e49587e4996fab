import { setTimeout as sleep } from 'node:timers/promises';
import { HeldWorkRepository, type HeldCounts } from '@app/persistence/backup/held-work.repository';
import { OutcomeRepository } from '@app/persistence/messages/delivery/outcome.repository';
import { SendingHoldRepository, type HoldRow } from '@app/persistence/work/sending-hold.repository';
import { StartError } from '@app/contracts/coded.errors';
import { Injectable } from '@nestjs/common';
import { ImportRepository } from '@app/persistence/transfer/import.repository';
import { Audit } from '../audit/audit.service';
import { cancelledImport } from '../transfer/import.presenter';
import { callOf, COMMAND_LINE } from '../accounts/principal.rules';

/** Kinds of what is held that can be discarded. */
export const HELD_KINDS = ['messages', 'replies', 'runs', 'webhooks', 'imports'] as const;
export type HeldKind = (typeof HELD_KINDS)[number];

export type { HeldCounts, HoldRow };

const UNKNOWN =
  'It was being sent when the backup was taken, or as the database went back: whether it was delivered is not known.';
const DISCARDED =
  'It was discarded after the database was restored or went back: it may have been sent before.';
/** Longer than any claim: its end is told by the clock of a server, which may be another one now. */
const CLAIMS_END_MS = 120_000;
const LOOK_MS = 500;

/** What goes on, or not, when a hold on sending ends. */
@Injectable()
export class HeldWork {
  constructor(
    private readonly holds: SendingHoldRepository,
    private readonly work: HeldWorkRepository,
    private readonly outcomes: OutcomeRepository,
    private readonly imports: ImportRepository,
    private readonly audit: Audit,
  ) {}

  /** Null when sending is not held. */
  async hold(): Promise<HoldRow | null> {
    return this.holds.find();
  }

  async count(): Promise<HeldCounts> {
    return this.work.count();
  }

  /**
   * Ends the hold. Before that messages that were being sent become unknown, which are never sent again, and what the person
   * does not want is discarded. When it is cut off in between, sending is still held, and it can be done again.
   */
  async resume(discarded: ReadonlySet<HeldKind>): Promise<void> {
    await this.settleClaims();
    if (discarded.has('messages')) while ((await this.outcomes.failHeld(DISCARDED)) > 0);
    if (discarded.has('replies')) while ((await this.work.discardReplies()) > 0);
    // Before the log is passed over: their ends are events of it.
    if (discarded.has('imports')) while (await this.cancelImports());
    if (discarded.has('webhooks')) {
      await this.work.passOverLog();
      while ((await this.work.skipDeliveries()) > 0);
    }
    const { actor, requestId } = callOf(COMMAND_LINE);
    if (discarded.has('runs')) await this.work.cancelRuns({ actor, request_id: requestId ?? null });
    await this.work.endHold();
  }

  /** @returns whether there were any */
  private async cancelImports(): Promise<boolean> {
    const imports = await this.work.runningImports();
    for (const { accountId, id, rows } of imports)
      await this.audit.act(
        COMMAND_LINE,
        'import.cancel',
        cancelledImport({ accountId, id, rows }),
        (entryOf) => this.imports.cancel(accountId, id, entryOf),
      );
    return imports.length > 0;
  }

  /** Nobody claims anything while sending is held, so what is claimed was claimed before. */
  private async settleClaims(): Promise<void> {
    const until = performance.now() + CLAIMS_END_MS;
    for (;;) {
      while ((await this.outcomes.expireClaims(UNKNOWN)) > 0);
      const sending = await this.work.countSending();
      if (sending === 0) return;
      if (performance.now() > until)
        throw new StartError(`${sending} messages are still being sent, as it seems: try again in a minute.`);
      await sleep(LOOK_MS);
    }
  }
}
