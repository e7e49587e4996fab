import type { PreviewedState, MoveRequest } from '@app/persistence/leads/lead.repository';
import type { MoveOutcome } from '@app/persistence/leads/lead.statements';

/** Where dialogs would be after the items of a dry run so far. The next item is previewed from there. */
export class DryRunPreview {
  private readonly threads = new Map<string, PreviewedState>();

  /** Null for a dialog that no earlier item would have changed. */
  of(threadId: string): PreviewedState | null {
    return this.threads.get(threadId) ?? null;
  }

  remember({ threadId, statusId }: MoveRequest, outcome: MoveOutcome): void {
    const moved = outcome.verdict === 'move';
    if (!moved && !outcome.took) return;
    const before = this.of(threadId);
    const silences = moved && (outcome.stage_ai_enabled === false || outcome.hands_to === 'OPERATOR');
    const epochRise = (before?.epochRise ?? 0) + (silences ? 1 : 0);
    const tookAtRise = outcome.took ? epochRise : (before?.tookAtRise ?? null);
    const handsTo = (moved ? outcome.hands_to : null) ?? before?.handsTo ?? null;
    this.threads.set(threadId, { statusId, epochRise, tookAtRise, handsTo });
  }
}
