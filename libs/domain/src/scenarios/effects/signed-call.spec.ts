import type { OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import { Webhook } from 'standardwebhooks';
import { callHeaders } from './signed-call';

const SECRETS = [1, 2].map((fill) => `whsec_${Buffer.alloc(24, fill).toString('base64')}`);
const THREAD = 'b0000000-0000-4000-8000-000000000001';
const AT = new Date();

const headersOf = (
  body: string | null,
  secrets: readonly string[],
  name = 'key',
  index = 3,
): Record<string, string> => {
  const cause = { type: 'key', id: 'k', name, request_id: 'r', trace: 't' };
  const run = { id: 'run', scenario_id: 'scenario', depth: 2, cause } as OpenRun;
  return callHeaders({ run, index, threadId: THREAD }, body, secrets, AT);
};

it.each([null, '7', 'null', '"текст"', '{"n":1,"name":"клиент"}'])('a call with %j is signed', (body) => {
  const headers = headersOf(body, SECRETS.slice(0, 1));
  const reference = new Webhook(SECRETS[0] ?? '');
  const sent = body ?? '';
  expect(reference.verify(sent, headers)).toEqual(body === null ? undefined : JSON.parse(body));
  expect(() => reference.verify(`${sent} `, headers)).toThrow('signature');
  expect(() => reference.verify(sent, { ...headers, 'webhook-id': 'other' })).toThrow('signature');
});

it('each secret signs, and no other does', () => {
  const verified = (secrets: readonly string[]) =>
    SECRETS.map((secret) => {
      try {
        new Webhook(secret).verify('{}', headersOf('{}', secrets));
        return true;
      } catch {
        return false;
      }
    });
  expect(verified(SECRETS)).toEqual([true, true]);
  expect(verified(SECRETS.slice(1))).toEqual([false, true]);
});

it('all tries of a step have its id, by which a receiver knows them again, and no other step has it', () => {
  const headers = headersOf(null, SECRETS);
  expect(headers).toMatchObject({ 'webhook-id': 'run_3', 'idempotency-key': 'run_3' });
  expect(headersOf(null, SECRETS, 'key', 4)['webhook-id']).toBe('run_4');
});

it('a call says what began its run, in ASCII of bounded length, and nothing of the call that did', () => {
  const causeOf = (name: string): string => headersOf(null, SECRETS, name)['leadline-cause'] ?? '';
  expect(JSON.parse(causeOf('Айгуль 🦔'))).toEqual({
    ...{ type: 'key', id: 'k', name: 'Айгуль 🦔' },
    ...{ scenario_id: 'scenario', run_id: 'run', thread_id: `thread_${THREAD}`, depth: 2 },
  });
  expect(causeOf('Айгуль\n🦔')).toMatch(/^[\x20-\x7e]+$/);
  expect((JSON.parse(causeOf('🦔'.repeat(500))) as { name: string }).name).toBe('🦔'.repeat(100));
});
