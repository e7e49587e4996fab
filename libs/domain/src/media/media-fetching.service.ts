import { randomUUIDv7 } from 'node:crypto';
import { isAudio } from '@app/contracts/media.words';
import type { StoredFacts } from '@app/persistence/media/media.repository';
import {
  FetchedMediaRepository,
  type ClaimedMedia,
  type HeldMedia,
} from '@app/persistence/messages/dialog/fetched-media.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { ChannelConnections, SealedCredentialError } from '../messages/sending/channel-connections.service';
import { retryBusyRow } from '../work/database-retry';
import { LeaseRenewal } from '../work/lease-renewal';
import { WorkNotifier } from '../work/work-notifier';
import { Slots } from '../work/work-slots';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';
import {
  DOWNLOAD_TIMES,
  DownloadFailedError,
  FILE_BYTES_MAX,
  MediaDownloads,
  UnfetchableFileError,
  type Download,
} from './media-download.port';
import { MediaFiles } from './media-files.service';
import { MediaInspector } from './media-inspector.port';
import { FileTooLargeError, MediaStore, type SpooledFile } from './media-store.port';
import { MediaQuotaError } from './media.errors';
import { fileNameOf } from './upload.rules';

const RENEWALS = 3;
const TRIED_FOR_SECONDS = 86_400;
/** After 5, 10, 20 … seconds, at most half an hour. */
const BACK_OFF_SECONDS = 5;
const BACK_OFF_SECONDS_MAX = 1_800;

/** Ends of fetches that may wait for whoever holds their thread: each takes a connection. */
const ENDS_AT_ONCE = 3;
const END_TRIES = 10;

/** Fetches customers' files from their providers, as due work, for a day. */
@Injectable()
export class MediaFetching {
  private readonly logger = new Logger(MediaFetching.name);
  private readonly ends = new Slots(ENDS_AT_ONCE);

  constructor(
    private readonly media: FetchedMediaRepository,
    private readonly channels: ChannelConnections,
    private readonly downloads: MediaDownloads,
    private readonly store: MediaStore,
    private readonly inspector: MediaInspector,
    private readonly files: MediaFiles,
    private readonly events: EventNotifier,
    private readonly work: WorkNotifier,
  ) {}

  /**
   * Fetches one file, if it is due and nobody else does.
   * @param stopping aborted when the process stops: the file is due again at once
   */
  async fetch(accountId: string, id: string, stopping: AbortSignal): Promise<void> {
    const held: HeldMedia = { accountId, id, token: randomUUIDv7() };
    const claimed = await this.media.claim(held, WORK_TIMES.leaseMs, TRIED_FOR_SECONDS);
    if (!claimed) return;
    const lost = new AbortController();
    await using _ = new LeaseRenewal(
      WORK_TIMES.leaseMs / RENEWALS,
      () => this.media.renew(held, WORK_TIMES.leaseMs),
      () => lost.abort(),
    );
    const ending = AbortSignal.any([stopping, lost.signal]);
    try {
      const facts = await this.bring(accountId, claimed, ending);
      await this.end(held, () => this.media.stored(held, facts));
      if (isAudio(facts.kind)) this.work.notify('transcripts', { accountId, id });
    } catch (error) {
      if (ending.aborted) await this.media.release(held, null, 0);
      else await this.putOff(held, claimed, error);
    }
  }

  /** @returns what is known of the file, whose bytes are in the store by then. */
  private async bring(accountId: string, claimed: ClaimedMedia, ending: AbortSignal): Promise<StoredFacts> {
    const { bot_id: botId, channel, provider_ref: reference } = claimed;
    if (botId === null || channel === null) throw new DownloadFailedError('it came to no number');
    const open = await this.channels.findForWork(accountId, botId, channel);
    if (!open) throw new DownloadFailedError('the number is not connected');
    // The first try does not ask: bytes that the account has already need no room.
    const isRepeated = claimed.attempts > 0;
    if (isRepeated) await this.files.requireRoom(accountId, 1);
    const over = new AbortController();
    const signal = AbortSignal.any([ending, over.signal, AbortSignal.timeout(DOWNLOAD_TIMES.wholeMs)]);
    try {
      const download = await this.downloads.open(open.connection, reference, signal);
      if (isRepeated) await this.files.requireRoom(accountId, download.size ?? 1);
      return await this.take(accountId, claimed, download);
    } finally {
      over.abort();
    }
  }

  private async take(
    accountId: string,
    claimed: ClaimedMedia,
    { bytes, mimeType, sha256 }: Download,
  ): Promise<StoredFacts> {
    const file = await this.store.spool(bytes, FILE_BYTES_MAX);
    try {
      if (sha256 !== null && sha256 !== file.sha256)
        throw new DownloadFailedError('the provider sent other bytes than it said');
      return await this.keep(accountId, claimed, file, mimeType);
    } finally {
      await file.discard();
    }
  }

  private async keep(
    accountId: string,
    claimed: ClaimedMedia,
    file: SpooledFile,
    said: string | null,
  ): Promise<StoredFacts> {
    const mimeType = claimed.mime_type ?? said;
    const facts = await this.inspector.inspect(file.path, { kind: claimed.kind, mimeType });
    await this.files.keep(accountId, file);
    return {
      ...{ sha256: file.sha256, kind: facts.kind, mime_type: facts.mimeType },
      ...{ width: facts.width, height: facts.height, seconds: facts.seconds },
      file_name: fileNameOf(claimed.file_name),
    };
  }

  /** Waits for whoever holds the dialog, and does not fetch the file anew for that. */
  private async end({ accountId }: HeldMedia, act: () => Promise<boolean | null>): Promise<void> {
    if (await retryBusyRow(() => this.ends.run(act), END_TRIES)) this.events.notify(accountId);
  }

  /** It is tried again, unless that is of no use. */
  private async putOff(held: HeldMedia, claimed: ClaimedMedia, error: unknown): Promise<void> {
    const isOfNoUse = error instanceof FileTooLargeError || error instanceof UnfetchableFileError;
    const isFinal = claimed.is_last_try || isOfNoUse;
    if (isFinal) {
      await this.end(held, () => this.media.failed(held, reasonOf(error)));
      this.logger.warn({ err: error, media_id: held.id }, 'A file of a customer is not stored for good.');
      return;
    }
    const backOffSeconds = Math.min(BACK_OFF_SECONDS_MAX, BACK_OFF_SECONDS * 2 ** claimed.attempts);
    await this.media.release(held, reasonOf(error), backOffSeconds);
    if (!isExpected(error)) throw error;
  }
}

const isExpected = (error: unknown): error is Error =>
  error instanceof DownloadFailedError ||
  error instanceof FileTooLargeError ||
  error instanceof MediaQuotaError ||
  error instanceof SealedCredentialError;

const reasonOf = (error: unknown): string => (isExpected(error) ? error.message : 'it could not be stored');

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
