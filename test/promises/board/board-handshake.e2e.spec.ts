import { BOARD_NAMESPACE } from '@app/contracts/board.events';
import { io } from 'socket.io-client';
import { addAdminKey } from '../../support/database/fixture';
import { BoardClient, refusalOf } from '../../support/clients/board.client';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene();

/** That of a server of which nothing else is said. */
const PUBLIC_URL = 'http://localhost:0';

const TRANSPORTS = [['websocket'], ['polling']];

describe.each(TRANSPORTS)('connecting a board over %s', (transport) => {
  const refused = (auth: object, options: object = {}): Promise<{ message: string; code: unknown }> =>
    refusalOf(scene.server.url, auth, { transports: [transport], ...options });
  const connects = async (auth: object, options: object = {}): Promise<void> => {
    const board = await BoardClient.connect(scene.server.url, auth, { transports: [transport], ...options });
    await expect(board.open(scene.account.assistantId)).resolves.toHaveProperty('columns');
    board.close();
  };

  it('lets a key with the leads scope in', async () => {
    await connects({ api_key: scene.account.key });
  });

  it.each([
    ['no auth at all', {}],
    ['no key in auth', { key: 'x' }],
    ['an empty key', { api_key: '' }],
    ['a key that is no text', { api_key: { $ne: null } }],
    ['an unknown key', { api_key: `ll_${'x'.repeat(43)}` }],
    ['a key with a NUL', { api_key: 'll_\0' }],
    ['a very long key', { api_key: 'x'.repeat(50_000) }],
  ])('refuses %s as UNAUTHORIZED', async (_, auth) => {
    expect(await refused(auth)).toEqual({ message: 'UNAUTHORIZED', code: 'UNAUTHORIZED' });
  });

  it('says where a board puts its key, when it is refused without one', async () => {
    const socket = io(`${scene.server.url}${BOARD_NAMESPACE}`, { transports: [transport], forceNew: true });
    try {
      const refusal = await new Promise((resolve) => {
        socket.once('connect_error', resolve);
      });
      expect(refusal).toMatchObject({ data: { message: expect.stringContaining('auth.api_key') } });
    } finally {
      socket.close();
    }
  });

  it('refuses an expired and a revoked key as UNAUTHORIZED', async () => {
    const past = new Date(Date.now() - 1_000);
    for (const given of [{ expiresAt: past }, { revokedAt: past }]) {
      const api_key = await scene.account.addKey(given);
      expect(await refused({ api_key })).toEqual({ message: 'UNAUTHORIZED', code: 'UNAUTHORIZED' });
    }
  });

  it('refuses a key without the leads scope, an admin key too, as FORBIDDEN', async () => {
    for (const api_key of [
      await scene.account.addKey({ scopes: ['messages'] }),
      await addAdminKey(scene.database.pool),
    ]) {
      expect(await refused({ api_key })).toEqual({ message: 'FORBIDDEN', code: 'FORBIDDEN' });
    }
  });

  it.each(['https://evil.example.com', 'https://localhost:0', 'http://localhost:0.evil.example.com', 'null'])(
    'refuses a page of the origin %s as FORBIDDEN, with a good key too',
    async (origin) => {
      const options = { extraHeaders: { origin } };
      expect(await refused({ api_key: scene.account.key }, options)).toEqual({
        message: 'FORBIDDEN',
        code: 'FORBIDDEN',
      });
    },
  );

  it('lets pages of the public address and of the address they reached in', async () => {
    for (const origin of [PUBLIC_URL, scene.server.url]) {
      await connects({ api_key: scene.account.key }, { extraHeaders: { origin } });
    }
  });

  it.each(['/', '/boards', '/board/', '/Board', '/other', '/constructor'])(
    'refuses the namespace %j as NOT_FOUND, with a good key too, and says where the board is',
    async (namespace) => {
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
    },
  );
});
