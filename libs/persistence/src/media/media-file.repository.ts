import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import {
  BEGIN_USAGE,
  CLAIM_FILE,
  FORGET_FILE,
  HAS_ROOM,
  TAKE_UNNAMED,
  type ClaimRow,
  type UnnamedFile,
} from './media-file.statements';

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
