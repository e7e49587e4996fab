import { addAdminKey } from '../../support/database/fixture';
import { BoardClient, refusalOf } from '../../support/clients/board.client';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene();

/** That of a server of which nothing else is said. */
const PUBLIC_URL = 'http://localhost:0';

describe.each(['websocket', 'polling'])('connecting a board over %s', (transport) => {
  const refused = (auth: object, options: object = {}): Promise<{ message: string; code: unknown }> =>
    refusalOf(scene.server.url, auth, { transports: [transport], ...options });
  const connects = async (auth: object, options: object = {}): Promise<void> => {
    const board = await BoardClient.connect(scene.server.url, auth, { transports: [transport], ...options });
    await expect(board.open(scene.account.assistantId)).resolves.toHaveProperty('columns');
    board.close();
  };

  it('lets a key with the leads scope in, also of pages of the public address and of the address they reached', async () => {
    await connects({ api_key: scene.account.key });
    for (const origin of [PUBLIC_URL, scene.server.url])
      await connects({ api_key: scene.account.key }, { extraHeaders: { origin } });
  });

  it('refuses what is no key, or one that is over, as UNAUTHORIZED, and says where a board puts it', async () => {
    const past = new Date(Date.now() - 1_000);
    const none: [string, object][] = [
      ['no auth at all', {}],
      ['no key in auth', { key: 'x' }],
      ['an empty key', { api_key: '' }],
      ['a key that is no text', { api_key: { $ne: null } }],
      ['an unknown key', { api_key: `ll_${'x'.repeat(43)}` }],
      ['a key with a NUL', { api_key: 'll_\0' }],
      ['a very long key', { api_key: 'x'.repeat(50_000) }],
      ['an expired key', { api_key: await scene.account.addKey({ expiresAt: past }) }],
      ['a revoked key', { api_key: await scene.account.addKey({ revokedAt: past }) }],
    ];
    for (const [what, auth] of none)
      expect([what, await refused(auth)]).toEqual([what, { message: 'UNAUTHORIZED', code: 'UNAUTHORIZED' }]);
    const connecting = BoardClient.connect(scene.server.url, {}, { transports: [transport] });
    await expect(connecting).rejects.toMatchObject({
      data: { message: expect.stringContaining('auth.api_key') },
    });
  });

  it('refuses a key without the leads scope, an admin key too, as FORBIDDEN', async () => {
    for (const api_key of [
      await scene.account.addKey({ scopes: ['messages'] }),
      await addAdminKey(scene.database.pool),
    ]) {
      expect(await refused({ api_key })).toEqual({ message: 'FORBIDDEN', code: 'FORBIDDEN' });
    }
  });

  it('refuses a page of another origin as FORBIDDEN, with a good key too', async () => {
    for (const origin of [
      ...['https://evil.example.com', 'https://localhost:0', 'http://localhost:0.evil.example.com', 'null'],
    ]) {
      const refusal = await refused({ api_key: scene.account.key }, { extraHeaders: { origin } });
      expect([origin, refusal]).toEqual([origin, { message: 'FORBIDDEN', code: 'FORBIDDEN' }]);
    }
  });

  it('refuses another namespace as NOT_FOUND, with a good key too, and says where the board is', async () => {
    for (const namespace of ['/', '/boards', '/board/', '/Board', '/constructor']) {
      const connecting = BoardClient.connect(
        scene.server.url,
        { api_key: scene.account.key },
        { transports: [transport] },
        namespace,
      );
      await expect(connecting).rejects.toMatchObject({
        message: 'NOT_FOUND',
        data: { code: 'NOT_FOUND', message: expect.stringContaining('the namespace /board:') },
      });
    }
  });
});
