import { isoOrNull } from '@app/contracts/values/iso-time';
import type { OpenRun, RunChange } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';

/** A run's last message to the customer, after which replies count. A try that certainly did not leave is none. */
export class LastSend {
  private at: Date | null;
  private messageId: string | null;
  private isNow = false;
  /** Replies count after an earlier one again. */
  isTakenBack = false;

  constructor(run: Pick<OpenRun, 'spoke_at' | 'last_message_id'>) {
    this.at = run.spoke_at;
    this.messageId = run.last_message_id;
  }

  /** A step's message is on its way. */
  begin(step: StepProgress, messageId: string): void {
    step.message_id = messageId;
    step.replies_after = isoOrNull(this.at);
    this.messageId = messageId;
    this.isNow = true;
  }

  /** The run begins once more, so only what the customer replies from now on counts. */
  forget(): void {
    this.messageId = null;
    this.isNow = true;
  }

  /** A step's message did not leave. It is the run's last one, unless a further step has sent another. */
  takeBack(step: StepProgress): void {
    const { replies_after: after, message_id: messageId } = step;
    delete step.replies_after;
    if (after === undefined || messageId !== this.messageId) return;
    this.at = after === null ? null : new Date(after);
    this.isTakenBack = true;
  }

  /** What is to be written of it. */
  get change(): Pick<RunChange, 'speaks' | 'takes_back' | 'spoke_at' | 'last_message_id'> {
    const { isNow: speaks, isTakenBack, at, messageId } = this;
    return { speaks, takes_back: isTakenBack, spoke_at: at, last_message_id: messageId };
  }
}
