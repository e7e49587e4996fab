import { get } from 'node:http';
import { cloudBody, setSandboxScene } from '../../../test/support/scenes/sandbox.scene';
import { LedgerBuffer } from './ledger.buffer';

const entry = (to: string, outcome = 'taken', reference: string | null = null) => ({
  channel: 'waba' as const,
  sender: '77270000002',
  to,
  type: 'text',
  reference,
  template: null,
  text: null,
  outcome,
});

describe('the ledger', () => {
  it('keeps the last 100,000 entries, oldest first, with numbers that go on', () => {
    const ledger = new LedgerBuffer();
    for (let n = 1; n <= 100_003; n += 1) ledger.note(entry(`+${n}`));
    const all = ledger.list();
    expect(all).toHaveLength(100_000);
    expect([all[0]?.n, all[0]?.to, all.at(-1)?.n]).toEqual([4, '+4', 100_003]);
    expect(ledger.list({ since: 100_001 }).map(({ n }) => n)).toEqual([100_002, 100_003]);
    ledger.clear();
    ledger.note(entry('+1'));
    expect(ledger.list().map(({ n }) => n)).toEqual([100_004]);
  });

  it('counts requests and messages by phone, and names what was sent twice', () => {
    const ledger = new LedgerBuffer();
    ledger.note(entry('+1', 'refused 429', 'a'));
    ledger.note(entry('+1', 'taken', 'a'));
    ledger.note(entry('+2', 'taken', 'b'));
    ledger.note(entry('+2', 'taken, hang', 'b'));
    ledger.note({ ...entry('+1'), type: 'read' });
    expect(ledger.counts()).toEqual({
      entries: 5,
      phones: { '+1': { requests: 2, taken: 1 }, '+2': { requests: 2, taken: 2 } },
      several: ['+2'],
      doubled: ['b'],
    });
  });
});

describe('over HTTP', () => {
  const scene = setSandboxScene();

  const at = async (path: string, init?: RequestInit): Promise<any> =>
    (await fetch(`${scene.sandbox.url}${path}`, init)).json();

  it('the ledger is read by phone and number, counted, and emptied', async () => {
    await scene.cloud(cloudBody('+77010000001', { biz_opaque_callback_data: 'one' }));
    await scene.cloud(cloudBody('+77010000002', { name: 'plain' }));
    const [first] = await at('/sandbox/ledger?phone=%2B77010000001');
    expect(first).toEqual({
      n: 1,
      at: expect.stringMatching(/Z$/),
      channel: 'waba_coexistence',
      sender: '100000000000001',
      to: '+77010000001',
      type: 'template',
      reference: 'one',
      template: 'visit_reminder',
      text: 'Здравствуйте, Айгуль! Ждём вас завтра.',
      outcome: 'taken',
    });
    expect(await at('/sandbox/ledger?since=1')).toMatchObject([{ n: 2 }]);
    expect((await at('/sandbox/ledger/counts')).phones).toEqual({
      '+77010000001': { requests: 1, taken: 1 },
      '+77010000002': { requests: 1, taken: 1 },
    });
    await at('/sandbox/ledger', { method: 'DELETE' });
    expect(await at('/sandbox/ledger')).toEqual([]);
  });

  it('the magic phones are listed', async () => {
    expect(await at('/sandbox/magic-numbers')).toContainEqual(
      expect.objectContaining({ phone: '+77005550001', code: { waba_coexistence: 131026, waba: 131026 } }),
    );
  });

  it.each([
    ['a path that is none', '/nowhere', {}, 404],
    ['a path that is no text', '/sandbox/templates/%ff', { method: 'POST' }, 404],
    [
      'a body that is too large',
      '/handset/api/messages',
      { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) },
      413,
    ],
    ['no JSON', '/handset/api/messages', { method: 'POST', body: '{' }, 400],
    [
      'a page of another origin',
      '/sandbox/ledger',
      { method: 'DELETE', headers: { origin: 'http://evil.example' } },
      403,
    ],
  ])('%s is refused', async (_what, path, init, status) => {
    expect((await fetch(`${scene.sandbox.url}${path}`, init)).status).toBe(status);
  });
});

describe('a call to the sandbox', () => {
  const scene = setSandboxScene();

  it('a name that leads to this machine is answered by nothing but a refusal', async () => {
    const { hostname, port } = new URL(scene.sandbox.url);
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get({ hostname, port, path: '/sandbox/ledger', headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ])
      expect([host, await statusFor(host)]).toEqual([host, 403]);
    for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:80'])
      expect([host, await statusFor(host)]).toEqual([host, 200]);
  });
});
