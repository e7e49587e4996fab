import { Injectable } from '@nestjs/common';
import { statement } from '../database/sql.statements';
import { leaseFor } from '../work/work.statements';
import { Database } from '../database/database.service';
import type { MediaFileEntity } from './media.entity';

/** The account's use is counted in a row of its own, which is locked first: two claims of one account take turns. */
const BEGIN_USAGE = statement('media-usage-begin').takes('accountId').returns(`
  INSERT INTO media_usage (account_id, bytes) VALUES (:accountId, 0) ON CONFLICT DO NOTHING`);

/** Whether the account has room for so many bytes more, as far as is known before they are there. */
const HAS_ROOM = statement('media-has-room').takes('accountId', 'size').returns<{
  has_room: boolean;
}>(`
  SELECT a.media_quota_bytes IS NULL OR coalesce(u.bytes, 0) + :size::bigint <= a.media_quota_bytes AS has_room
    FROM accounts a LEFT JOIN media_usage u ON u.account_id = a.id WHERE a.id = :accountId`);

/** Whether bytes may be written now. `quota`: the account has no room; `busy`: the same bytes are being deleted. */
interface ClaimRow {
  verdict: 'claimed' | 'quota' | 'busy';
}

/**
 * Claims the place of bytes before they are written, and counts them once. Bytes that are there already take no further
 * room.
 */
const CLAIM_FILE = statement('media-file-claim').takes('accountId', 'sha256', 'size', 'claimMs')
  .returns<ClaimRow>(`
  WITH used AS MATERIALIZED (
    SELECT account_id, bytes FROM media_usage WHERE account_id = :accountId FOR NO KEY UPDATE),
  room AS MATERIALIZED (
    SELECT u.account_id, ${leaseFor(':claimMs')} AS claim_until
      FROM used u JOIN accounts a ON a.id = u.account_id
     WHERE a.media_quota_bytes IS NULL OR u.bytes + :size::int <= a.media_quota_bytes
        OR EXISTS (SELECT 1 FROM media_files f WHERE f.account_id = u.account_id AND f.sha256 = :sha256)),
  claimed AS (
    INSERT INTO media_files (account_id, sha256, size, claim_until)
    SELECT account_id, :sha256, :size::int, claim_until FROM room
    ON CONFLICT (account_id, sha256) DO UPDATE SET claim_until = greatest(media_files.claim_until, excluded.claim_until)
      WHERE NOT media_files.is_removed
    RETURNING xmax = 0 AS is_new),
  counted AS (
    UPDATE media_usage u SET bytes = u.bytes + :size::int FROM claimed c
     WHERE u.account_id = :accountId AND c.is_new)
  SELECT CASE WHEN EXISTS (SELECT 1 FROM claimed) THEN 'claimed' WHEN EXISTS (SELECT 1 FROM room) THEN 'busy'
              ELSE 'quota' END AS verdict`);

/**
 * The file whose bytes were written, locked. A part of statements that name the bytes in `media`. Its claim lasts a
 * minute longer, so whoever looks for bytes that nothing names, and waits for this lock, looks in vain.
 */
export const WRITTEN = `
  written AS MATERIALIZED (
    SELECT account_id, sha256, size FROM media_files
     WHERE account_id = :accountId AND sha256 = :sha256 AND NOT is_removed FOR NO KEY UPDATE),
  longer AS MATERIALIZED (SELECT w.*, clock_timestamp() AS at FROM written w),
  kept AS (
    UPDATE media_files f SET claim_until = greatest(f.claim_until, l.at + interval '1 minute')
      FROM longer l WHERE f.account_id = l.account_id AND f.sha256 = l.sha256)`;

/** Bytes that are to be deleted. */
export type UnnamedFile = Pick<MediaFileEntity, 'account_id' | 'sha256'>;

/** Marks bytes that nothing names, for one process and for some time. */
const TAKE_UNNAMED = statement('media-files-take-unnamed').takes('limit', 'leaseMs').returns<UnnamedFile>(`
  WITH unnamed AS MATERIALIZED (
    SELECT f.account_id, f.sha256 FROM media_files f
     WHERE f.claim_until < now() AND NOT EXISTS (
       SELECT 1 FROM media m WHERE m.account_id = f.account_id AND m.sha256 = f.sha256)
     LIMIT :limit),
  locked AS MATERIALIZED (
    SELECT f.account_id, f.sha256 FROM media_files f
     WHERE (f.account_id, f.sha256) IN (SELECT account_id, sha256 FROM unnamed) AND f.claim_until < now()
       FOR UPDATE SKIP LOCKED),
  leased AS MATERIALIZED (SELECT l.*, ${leaseFor(':leaseMs')} AS until FROM locked l)
  UPDATE media_files f SET is_removed = true, claim_until = l.until
    FROM leased l WHERE f.account_id = l.account_id AND f.sha256 = l.sha256
  RETURNING f.account_id, f.sha256`);

/** Forgets bytes that were deleted. The account's use is locked first. */
const FORGET_FILE = statement('media-file-forget').takes('accountId', 'sha256').returns(`
  WITH used AS MATERIALIZED (
    SELECT account_id FROM media_usage WHERE account_id = :accountId FOR NO KEY UPDATE),
  forgotten AS (
    DELETE FROM media_files f USING used u
     WHERE f.account_id = u.account_id AND f.sha256 = :sha256 AND f.is_removed RETURNING f.size)
  UPDATE media_usage m SET bytes = m.bytes - d.size FROM forgotten d WHERE m.account_id = :accountId`);

/** Which bytes the store has, and how much of its quota an account uses. */
@Injectable()
export class MediaFileRepository {
  constructor(private readonly database: Database) {}

  /**
   * Claims the place of bytes for so many milliseconds, in which they are to be written and named in `media`.
   * @param size in bytes
   */
  async claim(
    accountId: string,
    sha256: string,
    size: number,
    claimMs: number,
  ): Promise<ClaimRow['verdict']> {
    const claim = { accountId, sha256, size, claimMs };
    await this.database.runFor(accountId, BEGIN_USAGE, { accountId });
    const [row] = await this.database.runFor(accountId, CLAIM_FILE, claim);
    return row?.verdict ?? 'quota';
  }

  /** Whether the account has room for so many bytes more now. */
  async hasRoom(accountId: string, size: number): Promise<boolean> {
    const [row] = await this.database.runFor(accountId, HAS_ROOM, { accountId, size });
    return row?.has_room ?? false;
  }

  /**
   * Takes bytes that nothing names any more. They are deleted within the lease, then {@link forgotten}; else another
   * process takes them after it.
   */
  async takeUnnamed(limit: number, leaseMs: number): Promise<UnnamedFile[]> {
    return this.database.run(TAKE_UNNAMED, { limit, leaseMs });
  }

  async forgotten({ account_id: accountId, sha256 }: UnnamedFile): Promise<void> {
    await this.database.run(FORGET_FILE, { accountId, sha256 });
  }
}
