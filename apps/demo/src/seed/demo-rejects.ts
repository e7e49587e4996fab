import { demoId } from '@app/contracts/demo-ids';
import type { Client } from 'pg';

/** A number that no bot of the demo has. */
const STRANGER = '109876543210';

/** What Meta tells of that number: of a message, and of a message of ours. */
const VALUES = [
  {
    contacts: [{ wa_id: '77010000099' }],
    messages: [
      {
        from: '77010000099',
        id: 'wamid.demo',
        timestamp: '1795168800',
        type: 'text',
        text: { body: 'Hello?' },
      },
    ],
  },
  { statuses: [{ id: 'wamid.demo', status: 'read', timestamp: '1795168800', recipient_id: '77010000099' }] },
];

const bodyOf = (value: object): string => {
  const metadata = { display_phone_number: STRANGER, phone_number_id: STRANGER };
  const change = { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } };
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [change] }],
  });
};

/** Webhooks that could not be taken in, for the documentation to show, take in again and delete. */
export async function seedRejects(db: Client): Promise<void> {
  for (const [index, value] of VALUES.entries()) {
    await db.query(
      `INSERT INTO webhook_rejects (id, provider, delivery_id, path, reason, item, received_at, created_at)
       SELECT $1, 'cloud', 0, '', $2, $3, t.at, t.at FROM (SELECT clock_timestamp() - interval '3 hours' AS at) t
       ON CONFLICT DO NOTHING`,
      [demoId('webhookReject', index + 1), `No bot has the number ${STRANGER}.`, Buffer.from(bodyOf(value))],
    );
  }
}
