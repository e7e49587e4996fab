import { randomUUIDv7 } from 'node:crypto';
import { processLimits } from '@app/config/process-limits';
import { TRANSCRIBED_BYTES_MAX, TRANSCRIBED_SECONDS_MAX, isAudio } from '@app/contracts/media.words';
import { describe } from '@app/contracts/message-content';
import type { HeldMedia } from '@app/persistence/messages/dialog/fetched-media.repository';
import {
  TranscriptRepository,
  type ClaimedAudio,
  type TranscriptEnd,
} from '@app/persistence/messages/dialog/transcript.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { retryBusyRow } from '../work/database-retry';
import { LeaseRenewal } from '../work/lease-renewal';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import { MediaStore } from './media-store.port';
import { Transcriber, TranscriptionFailedError } from './transcriber.port';

const RENEWALS = 3;
const END_TRIES = 10;

const LIMITS = processLimits('transcription', {
  /** Before each further try. A customer waits. */
  retriesMs: [2_000, 10_000],
  /** The longest that a server may ask to wait. */
  retryAfterMs: 60_000,
});

/** Transcribes customers' audio as due work. If a process is killed, the file is transcribed again but reported once. */
@Injectable()
export class Transcription {
  private readonly logger = new Logger(Transcription.name);

  constructor(
    private readonly transcripts: TranscriptRepository,
    private readonly transcriber: Transcriber,
    private readonly store: MediaStore,
    private readonly events: EventNotifier,
  ) {}

  /**
   * Transcribes one file, if it is due and nobody else does.
   * @param stopping aborted when the process stops: the file is due again at once
   */
  async transcribe(accountId: string, id: string, stopping: AbortSignal): Promise<void> {
    const held: HeldMedia = { accountId, id, token: randomUUIDv7() };
    const claimed = await this.transcripts.claim(held, WORK_TIMES.leaseMs);
    if (!claimed) return;
    const lost = new AbortController();
    await using _ = new LeaseRenewal(
      WORK_TIMES.leaseMs / RENEWALS,
      () => this.transcripts.renew(held, WORK_TIMES.leaseMs),
      () => lost.abort(),
    );
    const ending = AbortSignal.any([stopping, lost.signal]);
    try {
      await this.end(held, this.endWithout(claimed) ?? (await this.hear(accountId, claimed, ending)));
    } catch (error) {
      if (ending.aborted) await this.transcripts.release(held, null, 0);
      else await this.putOff(held, claimed, error);
    }
  }

  /** The end where there is nothing to transcribe; null: there is. */
  private endWithout({ kind, size, seconds, is_wanted: isWanted }: ClaimedAudio): TranscriptEnd | null {
    if (!isAudio(kind) || !isWanted || !this.transcriber.isOn) return { state: null };
    const isTooMuch = (size ?? 0) > TRANSCRIBED_BYTES_MAX || (seconds ?? 0) > TRANSCRIBED_SECONDS_MAX;
    return isTooMuch ? { state: 'none', reason: 'it is too large or too long' } : null;
  }

  private async hear(
    accountId: string,
    { mime_type: mimeType, size, sha256 }: ClaimedAudio,
    signal: AbortSignal,
  ): Promise<TranscriptEnd> {
    const open = async () => {
      const bytes = await this.store.open({ accountId, sha256: sha256 ?? '' });
      if (!bytes) throw new TranscriptionFailedError('its bytes are gone', false);
      return bytes;
    };
    const recording = { mimeType: mimeType ?? 'application/octet-stream', size: size ?? 0, open };
    const { text, language } = await this.transcriber.transcribe(recording, signal);
    if (text === '') return { state: 'none', reason: 'nothing is said in it' };
    const spoken = { type: 'audio', text: '', content: null, media: { transcript: { text } } };
    return { state: 'ready', text, language, line: describe(spoken, 'en') };
  }

  /** Waits for whoever holds the dialog, and does not have the file transcribed anew for that. */
  private async end(held: HeldMedia, end: TranscriptEnd): Promise<void> {
    if (await retryBusyRow(() => this.transcripts.end(held, end), END_TRIES))
      this.events.notify(held.accountId);
  }

  private async putOff(
    held: HeldMedia,
    { transcript_failures }: ClaimedAudio,
    error: unknown,
  ): Promise<void> {
    const isExpected = error instanceof TranscriptionFailedError;
    const reason = isExpected ? error.message : 'it could not be read or kept';
    const backOffMs = LIMITS.retriesMs[transcript_failures];
    if (backOffMs === undefined || (isExpected && !error.mayRetry)) {
      await this.end(held, { state: 'failed', reason });
      this.logger.warn({ media_id: held.id }, `A customer's audio is not transcribed: ${reason}.`);
    } else {
      const askedMs = isExpected ? Math.min(error.retryAfterMs ?? 0, LIMITS.retryAfterMs) : 0;
      await this.transcripts.release(held, reason, Math.max(backOffMs, askedMs));
    }
    if (!isExpected) throw error;
  }
}

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
