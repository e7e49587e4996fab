import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statement';
import { mediaColumns, type MediaRow } from '../media/media.columns';
import { IS_VISIBLE_MESSAGE } from './message.columns';
import type { SendingVisibility } from './sent-message.repository';

const OF_FILE = 'SELECT 1 FROM messages m WHERE m.account_id = x.account_id AND m.media_id = x.id';

/**
 * A file that came to no number was uploaded: it belongs to the account as a whole, whoever sent it. A customer's file is
 * for those who see one of its messages.
 */
const FIND = statement('media-shown').takes('accountId', 'id', 'assistantIds', 'botIds').returns<MediaRow>(`
  SELECT ${mediaColumns('x')} FROM media x
   WHERE x.account_id = :accountId AND x.id = :id
     AND (x.bot_id IS NULL OR EXISTS (${OF_FILE} AND ${IS_VISIBLE_MESSAGE}))`);

/** Files for those who may read them. */
@Injectable()
export class ShownMediaRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when the caller sees no such file. */
  async find({ accountId, assistantIds, botIds }: SendingVisibility, id: string): Promise<MediaRow | null> {
    const values = { accountId, id, assistantIds, botIds };
    const [row] = await this.database.runFor(accountId, FIND, values);
    return row ?? null;
  }
}
