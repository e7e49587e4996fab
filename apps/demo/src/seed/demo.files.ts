import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { demoId } from '@app/contracts/demo.ids';
import type { MediaStore } from '@app/domain/media/media-store.port';
import type { Client } from 'pg';
import { SHOP } from './demo.accounts';

const PRICE_LIST = Buffer.from('Espresso 900\nFlat white 1,300\nCold brew 1,500\n');
const SHA256 = createHash('sha256').update(PRICE_LIST).digest('hex');

/** The uploaded file that the documentation sends and reads as an example. */
export async function seedFiles(db: Client, store: MediaStore): Promise<void> {
  const file = await store.spool(Readable.from([PRICE_LIST]), PRICE_LIST.length);
  try {
    await store.put({ accountId: SHOP, sha256: SHA256 }, file);
  } finally {
    await file.discard();
  }
  const { rowCount } = await db.query(
    `INSERT INTO media_files (account_id, sha256, size, claim_until)
     VALUES ($1, $2, $3, clock_timestamp()) ON CONFLICT DO NOTHING`,
    [SHOP, SHA256, PRICE_LIST.length],
  );
  await db.query(
    `INSERT INTO media_usage AS u (account_id, bytes) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET bytes = u.bytes + excluded.bytes`,
    [SHOP, rowCount === 1 ? PRICE_LIST.length : 0],
  );
  await db.query(
    `INSERT INTO media (account_id, id, kind, state, sha256, size, mime_type, file_name, ended_at)
     VALUES ($1, $2, 'document', 'stored', $3, $4, 'text/plain', 'price-list.txt', clock_timestamp())
     ON CONFLICT DO NOTHING`,
    [SHOP, demoId('media', 1), SHA256, PRICE_LIST.length],
  );
}
