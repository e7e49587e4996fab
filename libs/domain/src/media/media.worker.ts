import { FetchedMediaRepository } from '@app/persistence/messages/dialog/fetched-media.repository';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { MediaFetching } from './media-fetching.service';

/** Of each account that a sweep finds. */
const PER_ACCOUNT = 100;

/** Fetches customers' files that are due. */
@Injectable()
export class MediaWorker extends Worker {
  readonly name = 'media';
  /** It only reads at the provider, who keeps a file for some days: held, it would be lost. */
  readonly actsOutside = false;
  /** Downloads at once. Each has one connection and some 100 KB of memory. */
  readonly concurrency = 16;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['media'] as const;

  constructor(
    private readonly fetching: MediaFetching,
    private readonly media: FetchedMediaRepository,
  ) {
    super();
  }

  findDue(): Promise<readonly WorkItem[]> {
    return this.media.due(PER_ACCOUNT);
  }

  backlog(accountId: string | null) {
    return this.media.backlog(accountId);
  }

  async run({ accountId, id }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (accountId !== null) await this.fetching.fetch(accountId, id, stopping);
  }
}
