import { connect, type Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { request } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { IS_LONG, triesOf } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';
import { agentsWatched } from '../../support/clients/metrics.reader';
import { residentMb } from '../../support/programs/process.memory';
import { WEBSOCKET } from '../../support/clients/raw.request';
import { startServer, type ServerProcess } from '../../support/programs/server.process';

const scene = setScene();

const TEXT = 0x1;
const PING = 0x9;

/** A frame of a websocket's client; the mask of zeros leaves the text as it is. */
function frameOf(text: string, kind: number): Buffer {
  const { length } = text;
  if (length > 125) throw new Error('longer frames are written another way');
  return Buffer.concat([Buffer.from([0x80 | kind, 0x80 | length, 0, 0, 0, 0]), Buffer.from(text)]);
}

/** A bare websocket at the sockets' path, which is not read once it is open. */
async function openWebsocket(url: string, query = ''): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const headers = Object.entries({ Host: hostname, ...WEBSOCKET }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(
    [`GET /socket.io/?EIO=4&transport=websocket${query} HTTP/1.1`, ...headers, '\r\n'].join('\r\n'),
  );
  await new Promise<void>((resolve) => {
    socket.once('data', () => resolve());
  });
  socket.pause();
  return socket;
}

/** Asks for a polling session, and opens a websocket to go over to; its probes come before it is the session's. */
async function openProbe(url: string): Promise<Socket> {
  const { text } = await request(`${url}/socket.io/?EIO=4&transport=polling`);
  return openWebsocket(url, `&sid=${/"sid":"([^"]+)"/.exec(text)?.[1]}`);
}

/** Sends a text on and on, until the connection is cut. */
async function floodUntilCut(socket: Socket, text: string, kind: number): Promise<void> {
  const chunk = Buffer.concat(Array.from({ length: 2_000 }, () => frameOf(text, kind)));
  while (!socket.destroyed) {
    if (socket.write(chunk)) await tick();
    else
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve).once('close', () => resolve());
      });
  }
}

describe('a connection that sends packets on and on, with no key', () => {
  /** Far more than it takes, and less than a websocket waits for the other side's goodbye. */
  const CUT_WITHIN_MS = 20_000;

  async function expectCut(socket: Socket, text: string, kind = TEXT): Promise<void> {
    const late = AbortSignal.timeout(CUT_WITHIN_MS);
    late.addEventListener('abort', () => socket.destroy());
    await floodUntilCut(socket, text, kind);
    expect(late.aborted).toBe(false);
  }

  /** Frames are counted before they are read: what they say makes no difference. */
  const TEXTS = [
    ['asking for the board with a wrong key', '40/board,{"api_key":"ll_x"}'],
    ['with what is no packet', 'x'],
    ['asking for the board without a key', '40/board,{}'],
    ['asking for another namespace', '40/none,{}'],
    ['answering no ping', '3'],
    ['requesting before it has joined', '42/board,["x"]'],
  ] as const;

  it.each(TEXTS.slice(0, triesOf(2, TEXTS.length)))('%s, is cut off', async (_what, text) => {
    await expectCut(await openWebsocket(scene.server.url), text);
    expect((await scene.api.getStatuses()).status).toBe(200);
  });

  it('probing for an upgrade, is cut off', async () => {
    await expectCut(await openProbe(scene.server.url), '2probe');
  });

  it("with pings of the websocket's own, is cut off", async () => {
    await expectCut(await openWebsocket(scene.server.url), 'ping', PING);
  });

  it('by polling, is cut off', async () => {
    const address = `${scene.server.url}/socket.io/?EIO=4&transport=polling`;
    const sid = `&sid=${/"sid":"([^"]+)"/.exec((await request(address)).text)?.[1]}`;
    const send = (count: number) =>
      request(address + sid, { method: 'POST', body: Array(count).fill('3').join('\x1e') });
    expect((await send(100)).status).toBe(200);
    await send(30_000);
    expect((await send(1)).status).toBe(400);
  });
});

describe('a socket that asks often, but not too often, and reads nothing', () => {
  const EVERY_MS = 7;
  /** Its refusal is as long. */
  const NAMESPACE = `40/none${'x'.repeat(60_000)},`;

  it('is ended when too much waits for it', async () => {
    const flooder = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    await flooder.open(scene.account.assistantId);
    expect(await agentsWatched(scene.server)).toBe(1);
    const { ws } = flooder.socket.io.engine.transport as unknown as { ws: WebSocket };
    flooder.hang();
    const asking = setInterval(() => ws.send(NAMESPACE), EVERY_MS);
    try {
      await eventually(
        async () => (await agentsWatched(scene.server)) === 0,
        20_000,
        'the flooder was not ended',
      );
    } finally {
      clearInterval(asking);
      flooder.close();
    }
  });
});

/** Half a gigabyte of names. */
const inLongMode = IS_LONG ? describe : () => undefined;

inLongMode('connections that ask for namespaces without end', () => {
  const CONNECTIONS = 30;
  /** Of one connection, which may send 300 packets in a second. */
  const NAMES = 250;
  const NAME_BYTES = 60_000;
  /** With the names kept it grows by 490 MB, with none of them by 200 to 230 (measured), which is the collector. */
  const GROWTH_MAX_MB = 350;

  /** Not one whose memory has room from what other tests did. */
  let fresh: ServerProcess;

  beforeAll(async () => {
    fresh = await startServer(scene.database.url);
  });

  afterAll(() => fresh?.stop());

  /** Asks for namespaces that there are not, until each has been refused. */
  async function ask(word: string): Promise<void> {
    const board = await BoardClient.connect(fresh.url, { api_key: scene.account.key });
    const { ws } = board.socket.io.engine.transport as unknown as { ws: WebSocket };
    await new Promise<void>((resolve) => {
      let refused = 0;
      ws.addEventListener('message', ({ data }) => {
        if (String(data).startsWith('44/none') && ++refused === NAMES) resolve();
      });
      for (let asked = 0; asked < NAMES; asked++) ws.send(`40/none${word}${asked}${'x'.repeat(NAME_BYTES)},`);
    });
    board.close();
  }

  it('leave nothing of them behind', async () => {
    // Warms up what the process keeps for any of them.
    for (let asker = 0; asker < 2; asker++) await ask(`warm${asker}`);
    const before = residentMb(fresh.pid);
    for (let asker = 0; asker < CONNECTIONS; asker++) await ask(`asker${asker}`);
    expect(residentMb(fresh.pid) - before).toBeLessThan(GROWTH_MAX_MB);
  });
});
