import { TranscriptRepository } from '@app/persistence/messages/dialog/transcript.repository';
import { Injectable } from '@nestjs/common';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { Transcription } from './transcription.service';

/** Of each account that a sweep finds. */
const PER_ACCOUNT = 100;

/** Has customers' audio written down. */
@Injectable()
export class TranscriptsWorker extends Worker {
  readonly name = 'transcripts';
  readonly actsOutside = true;
  /** Requests at once. Each has one connection, and its audio passes through in parts. */
  readonly concurrency = 16;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['transcripts'] as const;

  constructor(
    private readonly transcription: Transcription,
    private readonly transcripts: TranscriptRepository,
  ) {
    super();
  }

  findDue(): Promise<readonly WorkItem[]> {
    return this.transcripts.due(PER_ACCOUNT);
  }

  backlog(accountId: string | null) {
    return this.transcripts.backlog(accountId);
  }

  async run({ accountId, id }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (accountId !== null) await this.transcription.transcribe(accountId, id, stopping);
  }
}
