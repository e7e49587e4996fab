import { demoId } from '@app/contracts/demo-ids';
import type { Client } from 'pg';
import { SHOP } from './demo-accounts';

const PARAMETERS = {
  type: 'object',
  properties: { machine: { type: 'string', description: 'Name of the machine, as the customer wrote it' } },
  required: ['machine'],
};

/** An example of a tool. The shop does not exist, so the tool is switched off. */
export async function seedTools(db: Client): Promise<void> {
  await db.query(
    `INSERT INTO assistant_tools (account_id, id, assistant_id, name, description, method, url, parameters, auto_fill,
       header_names, timeout_ms, enabled)
     VALUES ($1, $2, $3, 'find_stock', 'How many of a machine are in stock.', 'GET', 'https://shop.example.com/stock', $4,
       '{"customer": "phone"}', '{}', 10000, false)`,
    [SHOP, demoId('tool', 1), demoId('assistant', 1), JSON.stringify(PARAMETERS)],
  );
}
