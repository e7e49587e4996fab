import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import type { NotNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { mediaColumns, type MediaRow, type MediaEntity } from './media.entity';
import { WRITTEN } from './media-file.repository';

/** What is known of a file whose bytes are in the store. */
export type StoredFacts = Pick<MediaEntity, 'kind' | 'file_name' | 'width' | 'height' | 'seconds'> &
  NotNull<Pick<MediaEntity, 'sha256' | 'mime_type'>>;

/** The parameters that {@link StoredFacts} give. */
export const FACTS = ['sha256', 'kind', 'mimeType', 'fileName', 'width', 'height', 'seconds'] as const;

export const factValues = (facts: StoredFacts): Record<(typeof FACTS)[number], unknown> => ({
  ...{ sha256: facts.sha256, kind: facts.kind, mimeType: facts.mime_type, fileName: facts.file_name },
  ...{ width: facts.width, height: facts.height, seconds: facts.seconds },
});

/** An upload that no message has taken by then is deleted. */
const UNSENT_FOR = `interval '7 days'`;

const ADD = statement('media-add').takes('accountId', 'id', 'uploadedBy', ...FACTS).returns<MediaRow>(`
  WITH ${WRITTEN}
  INSERT INTO media AS x (account_id, id, kind, state, sha256, size, mime_type, file_name, width, height, seconds, ended_at,
                          due_at, uploaded_by)
  SELECT l.account_id, :id, :kind, 'stored', l.sha256, l.size, :mimeType, :fileName, :width::int, :height::int,
         :seconds::int, l.at, l.at + ${UNSENT_FOR}, :uploadedBy::uuid FROM longer l
  RETURNING ${mediaColumns('x')}`);

const FIND = statement('media-find').takes('accountId', 'id').returns<MediaRow>(`
  SELECT ${mediaColumns('x')} FROM media x WHERE x.account_id = :accountId AND x.id = :id`);

/** Files of messages, and those that were uploaded. */
@Injectable()
export class MediaRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds an upload whose bytes were claimed and written.
   * @returns null when the claim is over: they may be deleted by now.
   */
  async add(accountId: string, id: string, uploadedBy: string, facts: StoredFacts): Promise<MediaRow | null> {
    const values = { accountId, id, uploadedBy, ...factValues(facts) };
    const [row] = await this.database.runFor(accountId, ADD, values);
    return row ?? null;
  }

  /** A file of the account. */
  async find(accountId: string, id: string): Promise<MediaRow | null> {
    const [row] = await this.database.runFor(accountId, FIND, { accountId, id });
    return row ?? null;
  }
}
