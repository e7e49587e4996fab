import type { RecalledCustomer, RecalledTemplate, SandboxMemory } from '../../sandbox/src/sandbox.options';
import { withClient } from './embedded-postgres/database.connection';
import { BOTS, ownerOf } from './seed/demo.accounts';

/** Most chats that the sandbox keeps. */
const CUSTOMERS_MAX = 10_000;

/** What the providers of the demo's numbers know, reconstructed from the database. */
export async function readMemory(databaseUrl: string): Promise<SandboxMemory> {
  const numbers = BOTS.flatMap(({ channels }) => channels);
  const senders = numbers.map(({ sender }) => sender);
  return withClient(databaseUrl, 'leadline demo memory', async (db) => {
    // Two bots of one business account have the same templates. The row that changed last counts.
    const templates = await db.query<Omit<RecalledTemplate, 'owner'> & { sender: string }>(
      `SELECT DISTINCT ON (t.channel, t.provider_id) c.sender, t.channel, t.provider_id AS "providerId", t.name, t.language,
              t.category, t.status, t.parameter_format AS "parameterFormat", t.header, t.body, t.footer, t.buttons, t.reason,
              t.add_security_recommendation AS "addSecurityRecommendation", t.code_expiration_minutes AS "codeExpirationMinutes",
              coalesce(t.examples->'body', '[]') AS examples
         FROM templates t
         JOIN bot_channels c ON c.account_id = t.account_id AND c.bot_id = t.bot_id AND c.channel = t.channel
        WHERE t.provider_id IS NOT NULL AND c.sender = ANY ($1)
        ORDER BY t.channel, t.provider_id, t.updated_at DESC`,
      [senders],
    );
    const customers = await db.query<RecalledCustomer>(
      `SELECT * FROM (
         SELECT c.sender, h.phone, h.customer_name AS name, h.last_activity_at,
                (SELECT extract(epoch FROM coalesce(m.sent_at, m.created_at))::float8 * 1000 FROM messages m
                  WHERE m.account_id = h.account_id AND m.thread_id = h.id AND m.role = 'USER'
                  ORDER BY m.created_at DESC, m.id DESC LIMIT 1) AS "wroteAt"
           FROM threads h
           JOIN bot_channels c ON c.account_id = h.account_id AND c.bot_id = h.bot_id AND c.channel = h.channel
          WHERE h.phone IS NOT NULL AND c.sender = ANY ($1)
          ORDER BY h.last_activity_at DESC LIMIT $2) newest
        ORDER BY last_activity_at`,
      [senders, CUSTOMERS_MAX],
    );
    const owners = new Map(numbers.map((number) => [number.sender, ownerOf(number)]));
    return {
      templates: templates.rows.map(({ sender, ...template }) => ({
        ...template,
        owner: owners.get(sender) ?? '',
      })),
      customers: customers.rows,
    };
  });
}
