import { ReplyRepository } from '@app/persistence/agent/reply.repository';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { LanguageModel } from './language-model.port';
import { Replies } from './replies.service';

/** The worker that answers customers. */
@Injectable()
export class ReplyWorker extends Worker {
  readonly name = 'replies';
  override readonly tracesItself = true;
  readonly actsOutside = true;
  /** For all accounts together. A reply spends most of its time waiting for its model. */
  readonly concurrency = 1_000;
  readonly sweepEveryMs = WORK_TIMES.replySweepMs;
  readonly finds = ['replies'] as const;
  override readonly maintenance = [{ of: ['takeovers'] as const, act: () => this.replies.endTakeovers() }];

  constructor(
    private readonly replies: Replies,
    private readonly repository: ReplyRepository,
    private readonly model: LanguageModel,
  ) {
    super();
  }

  override prepare(): void {
    this.model.prepare?.();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    return this.replies.findDue();
  }

  async backlog(accountId: string | null) {
    return this.repository.backlog(accountId);
  }

  async run(item: WorkItem, stopping: AbortSignal): Promise<void> {
    await this.replies.serve(item, stopping);
  }
}
