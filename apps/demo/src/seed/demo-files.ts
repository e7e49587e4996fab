import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { demoId } from '@app/contracts/demo-ids';
import type { MediaKind } from '@app/contracts/media.words';
import type { MediaStore } from '@app/domain/media/media-store.port';
import type { Client } from 'pg';
import { SHOP } from './demo-accounts';

interface DemoMedia {
  id: string;
  kind: MediaKind;
  bytes: Buffer;
  mimeType: string;
  name: string;
}

/** The uploaded file that the documentation sends and reads as an example. */
const PRICE_LIST: DemoMedia = {
  id: demoId('media', 1),
  kind: 'document',
  bytes: Buffer.from('Espresso 900\nFlat white 1,300\nCold brew 1,500\n'),
  mimeType: 'text/plain',
  name: 'price-list.txt',
};

/** Keeps what the documentation needs, at each start. */
export const seedFiles = (db: Client, store: MediaStore): Promise<void> => keepFile(db, store, PRICE_LIST);

/** Keeps a file of the shop, as one that was uploaded or fetched. */
export async function keepFile(
  db: Client,
  store: MediaStore,
  { id, kind, bytes, mimeType, name }: DemoMedia,
): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = await store.spool(Readable.from([bytes]), bytes.length);
  try {
    await store.put({ accountId: SHOP, sha256 }, file);
  } finally {
    await file.discard();
  }
  const { rowCount } = await db.query(
    `INSERT INTO media_files (account_id, sha256, size, claim_until)
     VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT DO NOTHING`,
    [SHOP, sha256, bytes.length],
  );
  await db.query(
    `INSERT INTO media_usage AS u (account_id, bytes) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET bytes = u.bytes + excluded.bytes`,
    [SHOP, rowCount === 1 ? bytes.length : 0],
  );
  await db.query(
    `INSERT INTO media (account_id, id, kind, state, sha256, size, mime_type, file_name, ended_at)
     VALUES ($1, $2, $3, 'stored', $4, $5, $6, $7, clock_timestamp())
     ON CONFLICT DO NOTHING`,
    [SHOP, id, kind, sha256, bytes.length, mimeType, name],
  );
}
