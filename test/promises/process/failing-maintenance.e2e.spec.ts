import { randomUUIDv7 } from 'node:crypto';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

/** Everything here is found by sweeps: nothing is notified. */
const scene = setReplyScene({ servers: 1 });

const query = async (text: string, values: unknown[] = []): Promise<void> => {
  await scene.database.pool.query(text, values);
};

/** A statement that always fails, as one does whose rows cannot be read or written. */
async function failing(table: string, when: string): Promise<void> {
  await query(
    `CREATE OR REPLACE TRIGGER failing BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION fail()`,
  );
}

beforeAll(() =>
  query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$`),
);

it('numbers send though claims past their deadlines cannot be settled', async () => {
  await failing('messages', `OLD.status = 'sending' AND NEW.status = 'unknown'`);
  await scene.account.addMessage(await scene.account.addThread(), { role: 'SYSTEM', status: 'sending' });
  const customer = newCustomer();
  const thread = await scene.account.addThread({ phone: `+${customer.phone}` });
  const id = await scene.account.addMessage(thread, { role: 'SYSTEM', text: 'Найдено обходом' });
  await query(
    `UPDATE messages SET status = 'queued', due_at = clock_timestamp(), recipient = $2,
            content = '{"type":"text","text":"Найдено обходом"}' WHERE id = $1`,
    [id, `+${customer.phone}`],
  );
  expect(await scene.untilSaid(customer, 1)).toEqual(['Найдено обходом']);
  await query('DROP TRIGGER failing ON messages');
});

it('agents answer though takeovers that are over cannot be ended', async () => {
  await failing('threads', 'OLD.takeover_until IS NOT NULL AND NEW.takeover_until IS NULL');
  await scene.account.addThread({ takeoverSeconds: -1 });
  const customer = newCustomer();
  await scene.model.reply({ text: 'Здравствуйте', when: customer.phone });
  await scene.write(customer, `Вопрос ${customer.phone}`);
  expect(await scene.untilSaid(customer, 1)).toEqual(['Здравствуйте']);
  await query('DROP TRIGGER failing ON threads');
});

it('webhooks are handled though reports that wait for their messages cannot be checked', async () => {
  await failing('parked_states', 'true');
  await query(
    `INSERT INTO parked_states (account_id, bot_id, channel, provider_id, state, body, next_check_at)
     VALUES ($1, $2, 'waba_coexistence', $3, 'sent', '{}', clock_timestamp())`,
    [scene.account.id, scene.account.botId, randomUUIDv7()],
  );
  const customer = newCustomer();
  await scene.holdBack(scene.number.message(customer, 'Вопрос'));
  await scene.letGo();
  // The agent may have answered by now, so it need not be the dialog's last.
  const { rows } = await scene.database.pool.query(
    `SELECT m.text FROM messages m JOIN threads t ON t.id = m.thread_id WHERE t.phone = $1 AND m.role = 'USER'`,
    [`+${customer.phone}`],
  );
  expect(rows).toEqual([{ text: 'Вопрос' }]);
  await query('DROP TRIGGER failing ON parked_states');
});
