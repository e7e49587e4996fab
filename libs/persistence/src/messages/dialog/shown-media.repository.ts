import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { mediaColumns, type MediaRow } from '../../media/media.entity';
import { IS_VISIBLE_MESSAGE } from './message-columns';
import type { SendingVisibility } from '../sending/sent-message.repository';

const OF_FILE = 'SELECT 1 FROM messages m WHERE m.account_id = x.account_id AND m.media_id = x.id';

/**
 * A file is for those who see one of its messages that was not deleted. One that came to no number, and that no message ever
 * had, was uploaded and not sent: it is for whoever uploaded it, and for admins.
 */
const FIND = statement('media-shown').takes(
  'accountId',
  'id',
  'assistantIds',
  'botIds',
  'callerId',
  'isAdmin',
).returns<MediaRow>(`
  SELECT ${mediaColumns('x')} FROM media x
   WHERE x.account_id = :accountId AND x.id = :id
     AND CASE WHEN x.bot_id IS NULL AND NOT EXISTS (${OF_FILE})
              THEN :isAdmin::boolean OR coalesce(x.uploaded_by = :callerId::uuid, true)
              ELSE EXISTS (${OF_FILE} AND m.deleted_at IS NULL AND ${IS_VISIBLE_MESSAGE}) END`);

/** Who reads a file. */
export interface MediaReader extends SendingVisibility {
  callerId: string;
  /** Of the account. */
  isAdmin: boolean;
}

/** Files for those who may read them. */
@Injectable()
export class ShownMediaRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when the caller sees no such file. */
  async find(reader: MediaReader, id: string): Promise<MediaRow | null> {
    const { accountId, assistantIds, botIds, callerId, isAdmin } = reader;
    const values = { accountId, id, assistantIds, botIds, callerId, isAdmin };
    const [row] = await this.database.runFor(accountId, FIND, values);
    return row ?? null;
  }
}
