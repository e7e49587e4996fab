import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { AuditRepository } from '@app/persistence/audit/audit.repository';
import { Database } from '@app/persistence/database/database.service';
import { ScenarioSecretRepository } from '@app/persistence/scenarios/definition/scenario-secret.repository';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import { callAuth, signIn, PASSWORD, type SessionClient } from '../../support/clients/session.client';
import { injected } from '../../support/faults/injected.faults';
import { inject as beWrong } from '../../support/faults/wrong-clock.fault';
import type { ServerProcess } from '../../support/programs/server.process';
import { setScene } from '../../support/scenes/base.scene';

const HOUR_MS = 3_600_000;
/** Later than whatever is judged here ends. */
const MONTH_MS = 31 * 24 * HOUR_MS;
/** Longer than any call here takes. */
const SLACK_MS = 60_000;

const scene = setScene();
let wrong: ServerProcess;

beforeAll(async () => {
  wrong = await scene.addServer(injected('wrong-clock', { byMs: MONTH_MS }));
});

const codeOf = ({ status, body }: Answer): string | number => body.error?.code ?? status;
const statusOf = async (session: SessionClient): Promise<number> => (await session.call('auth/me')).status;

const shift = (table: string, column: string, { of, by }: { of: [string, string]; by: string }) =>
  scene.database.pool.query(`UPDATE ${table} SET ${column} = ${column} - $2::interval WHERE ${of[0]} = $1`, [
    of[1],
    by,
  ]);

describe('a process whose clock is a month fast judges by the database’s', () => {
  it('the time of a session', async () => {
    const person = await scene.join();
    const ofPerson: [string, string] = ['user_id', person.userId];
    expect(await statusOf(person.at(wrong.url))).toBe(200);
    await shift('user_sessions', 'last_seen_at', { of: ofPerson, by: '12 hours' });
    expect(await statusOf(person.at(wrong.url))).toBe(401);
    const again = await signIn(wrong.url, person.email, PASSWORD);
    expect(await statusOf(again.at(scene.server.url))).toBe(200);
    const { rows } = await scene.database.pool.query(
      `SELECT greatest(created_at, last_seen_at) <= clock_timestamp() AS is_past FROM user_sessions WHERE user_id = $1`,
      [person.userId],
    );
    expect(rows).toEqual([{ is_past: true }, { is_past: true }]);
  });

  it('the ten minutes of a password given again', async () => {
    const admin = await scene.join({ role: 'admin' });
    const issue = async (): Promise<string | number> =>
      codeOf(await admin.at(wrong.url).call('admin/api-keys', { name: 'mine', scopes: ['leads'] }));
    expect((await admin.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
    const of: [string, string] = ['user_id', admin.userId];
    await shift('user_sessions', 'confirmed_at', { of, by: '9 minutes 30 seconds' });
    expect(await issue()).toBe(201);
    await shift('user_sessions', 'confirmed_at', { of, by: '30 seconds' });
    expect(await issue()).toBe('CONFIRM_REQUIRED');
  });

  it('the step of a code', async () => {
    const person = await scene.join();
    const app = await Authenticator.enable(person);
    const body = { email: person.email, password: PASSWORD, code: app.code() };
    expect((await callAuth(wrong.url, 'sign-in', body)).status).toBe(200);
  });

  it('the end of a key, and of its old secret', async () => {
    const admin = new ApiClient(wrong.url, scene.adminKey);
    const issueFor = (seconds: number): Promise<Answer> => {
      const expires_at = new Date(Date.now() + seconds * 1_000).toISOString();
      const attached = { assistant_ids: [scene.account.assistantId], bot_ids: [scene.account.botId] };
      const given = { account_id: scene.account.id, name: 'Brief', scopes: ['leads'], ...attached };
      return admin.admin('POST', 'api-keys', { ...given, expires_at });
    };
    expect((await issueFor(-120)).status).toBe(422);
    const made = await issueFor(7_200);
    expect(made.status).toBe(201);
    const { id, key: old } = made.body.data as { id: string; key: string };
    const { body } = await admin.admin('POST', `api-keys/${id}/rotate`, { overlap_hours: 1 });
    const ends = Date.parse(body.data.old_key_expires_at as string);
    expect(Math.abs(ends - Date.now() - HOUR_MS)).toBeLessThan(SLACK_MS);
    const status = async (): Promise<number> => (await new ApiClient(wrong.url, old).getStatuses()).status;
    expect(await status()).toBe(200);
    await shift('api_keys', 'old_key_expires_at', { of: ['id', id], by: '61 minutes' });
    expect(await status()).toBe(401);
  });

  // It ends by the time at which it was read (scenario-secrets.service.spec.ts): here the fast clock is this process's.
  it('the end of the former secret of a scenario', async () => {
    const database = new Database(scene.database.pool, new InFlightLimiter(1));
    const secrets = new ScenarioSecretRepository(database, new AuditRepository(database));
    const scenarioId = await scene.account.addScenario(scene.stage(0), false);
    const scenario = { accountId: scene.account.id, scenarioId };
    await secrets.add(scenario, { keyId: 'k', sealed: Buffer.from('sealed') });
    const right = Date;
    beWrong({ byMs: MONTH_MS });
    const found = await secrets.find(scenario).finally(() => (globalThis.Date = right));
    expect(Math.abs(Number(found?.askedAt) - Date.now())).toBeLessThan(SLACK_MS);
  });
});
