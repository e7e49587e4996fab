import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statement';
import { mediaColumns, type MediaRow } from '../media/media.columns';
import { IS_VISIBLE_MESSAGE } from './message.columns';
import type { SendingVisibility } from './sent-message.repository';

const OF_FILE = 'SELECT 1 FROM messages m WHERE m.account_id = x.account_id AND m.media_id = x.id';

/** A file that no message has yet was uploaded, and belongs to the account as a whole. */
const FIND = statement('media-shown').takes('accountId', 'id', 'assistantIds', 'botIds').returns<MediaRow>(`
  SELECT ${mediaColumns('x')} FROM media x
   WHERE x.account_id = :accountId AND x.id = :id
     AND (EXISTS (${OF_FILE} AND ${IS_VISIBLE_MESSAGE}) OR NOT EXISTS (${OF_FILE}))`);

/** Files for those who see their messages. */
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
