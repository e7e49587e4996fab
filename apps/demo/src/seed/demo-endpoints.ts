import { demoId } from '@app/contracts/demo-ids';
import { NIL_ID } from '@app/contracts/uuid.format';
import { newSigningSecret } from '@app/domain/accounts/secret-cipher.port';
import { secretBoundTo } from '@app/domain/webhooks-out/endpoints/endpoint-secrets';
import { eventIdOf } from '@app/domain/webhooks-out/sending/log-reading';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import type { Client } from 'pg';
import { SHOP } from './demo-accounts';
import { IMPORTED } from './demo-examples';

/**
 * Nothing of the demo leaves this machine, so they are on it, at a port where nothing listens. They take only what the demo does
 * not do by itself: so what happens there is your doing.
 */
const ENDPOINTS = [
  { n: 1, url: 'http://127.0.0.1:9/leadline', description: 'Accounting system', isEnabled: true },
  { n: 2, url: 'http://127.0.0.1:9/old', description: 'Former site', isEnabled: false },
];

const EVENT = {
  ...{ by: 'SYSTEM', actor: null, import_id: demoId('import', 1), state: 'done' },
  ...{ rows: IMPORTED, created: IMPORTED, moved: 0, unchanged: 0, faults: 0 },
};

const ATTEMPT = { status: 503, ms: 84, error: null, reason: null };

/** Endpoints that the documentation's examples name, with a delivery that failed. Their secrets are known to nobody. */
export async function seedEndpoints(db: Client, encryptionKey: string): Promise<void> {
  const cipher = new AesChannelCipher(encryptionKey);
  for (const { n, url, description, isEnabled } of ENDPOINTS) {
    const id = demoId('webhookEndpoint', n);
    const { keyId, sealed } = cipher.seal(newSigningSecret(), secretBoundTo({ account_id: SHOP, id }));
    await db.query(
      `INSERT INTO webhook_endpoints (account_id, id, url, events, description, key_id, secret, disabled_at, disabled_reason)
       VALUES ($1, $2, $3, '{import.finished}', $4, $5, $6, CASE WHEN NOT $7 THEN clock_timestamp() END,
               CASE WHEN NOT $7 THEN 'gone' END)`,
      [SHOP, id, url, description, keyId, sealed, isEnabled],
    );
    if (isEnabled)
      await db.query('INSERT INTO endpoint_queues (account_id, endpoint_id) VALUES ($1, $2)', [SHOP, id]);
  }
  const { rows } = await db.query<{ seq: string; at: Date }>(
    `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
     SELECT $1, $2, $2, (extract(epoch FROM t.at) * 1000)::bigint, 'import', t.at, $3
       FROM (SELECT clock_timestamp() - interval '5 days' AS at) t
     RETURNING seq, at`,
    [SHOP, NIL_ID, JSON.stringify(EVENT)],
  );
  for (const { seq, at } of rows) {
    const eventId = eventIdOf({ accountId: SHOP, threadId: NIL_ID, seq: Number(seq), at });
    await db.query(
      `INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, seq, thread_id, type, event_id, state, tries, attempts, created_at)
       VALUES ($1, $2, $3, $4, $5, 'import.finished', $6, 'failed', 10, $7, $8)`,
      [
        ...[SHOP, demoId('webhookDelivery', 1), demoId('webhookEndpoint', 1), seq, NIL_ID, eventId],
        ...[JSON.stringify([{ ...ATTEMPT, at }]), at],
      ],
    );
  }
}
