import { setTimeout as sleep } from 'node:timers/promises';
import { MediaFileRepository, type UnnamedFile } from '@app/persistence/media/media-file.repository';
import type { IncomingMessage } from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '../work/work-notifier';
import { MediaStore, type SpooledFile } from './media-store.port';
import { MediaQuotaError } from './media.errors';

/** Within it, bytes are written and named. Writing 100 MiB to a slow store takes a minute. */
const CLAIM_MS = 600_000;
/** Deleting bytes takes milliseconds; whoever has the same ones waits for it. */
const BUSY_MS = 100;
const BUSY_TRIES = 50;

/** Bytes are deleted within it, or another process deletes them. */
const REMOVE_LEASE_MS = 60_000;
/**
 * Requests to the store are given up after this time, and none begins: after the lease the bytes may be needed again.
 * The rest of the lease is for what the store still does about a request that was given up.
 */
const REMOVE_WITHIN_MS = 20_000;

/** What the store has, and what of it is needed. */
@Injectable()
export class MediaFiles {
  /** So long bytes belong to the process that deletes them. */
  readonly removeLeaseMs = REMOVE_LEASE_MS;

  constructor(
    private readonly store: MediaStore,
    private readonly files: MediaFileRepository,
  ) {}

  /** @param size in bytes. @throws MediaQuotaError where the account has no room for so much now */
  async requireRoom(accountId: string, size: number): Promise<void> {
    if (!(await this.files.hasRoom(accountId, size))) throw new MediaQuotaError();
  }

  /**
   * Keeps a temporary file for an account, durably. Within ten minutes a row of `media` must name it.
   * @throws MediaQuotaError
   */
  async keep(accountId: string, file: SpooledFile): Promise<void> {
    const { sha256, size } = file;
    for (let tried = 1; ; tried += 1) {
      const verdict = await this.files.claim(accountId, sha256, size, CLAIM_MS);
      if (verdict === 'quota') throw new MediaQuotaError();
      if (verdict === 'claimed') break;
      if (tried === BUSY_TRIES) throw new Error('equal bytes of the account are being deleted for too long');
      await sleep(BUSY_MS);
    }
    await this.store.put({ accountId, sha256 }, file);
  }

  /**
   * Deletes bytes that nothing names any more, and temporary files that killed processes left. Any number of processes
   * may do so at once.
   * @returns how many were deleted of at most so many; one that cannot be deleted is tried again later
   */
  async removeUnneeded(limit: number): Promise<number> {
    await this.store.removeLeftovers();
    return this.remove(await this.files.takeUnnamed(limit, REMOVE_LEASE_MS));
  }

  /**
   * Deletes bytes that were taken for it a moment ago.
   * @returns how many
   */
  async remove(taken: readonly UnnamedFile[]): Promise<number> {
    const began = performance.now();
    const signal = AbortSignal.timeout(REMOVE_WITHIN_MS);
    let removed = 0;
    for (const file of taken) {
      // A process that was held up may get here before its timer.
      if (performance.now() - began > REMOVE_WITHIN_MS) break;
      const key = { accountId: file.account_id, sha256: file.sha256 };
      await this.store.remove({ ...key, variant: 'preview' }, signal);
      await this.store.remove(key, signal);
      await this.files.forgotten(file);
      removed += 1;
    }
    return removed;
  }
}

/** Notifies the worker of files that came with messages. Nothing relies on it: its sweep finds them. */
@Injectable()
export class MediaNotices {
  constructor(private readonly work: WorkNotifier) {}

  cameBy(accountId: string, { file }: IncomingMessage): void {
    if (file) this.work.notify('media', { accountId, id: file.id });
  }
}
