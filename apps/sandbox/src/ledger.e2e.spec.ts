import { cloudBody, setSandboxScene } from '../../../test/support/scenes/sandbox.scene';

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
