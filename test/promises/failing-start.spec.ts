import { explainStart } from '../../apps/server/src/server.process';
import { holdPort } from '../support/held.port';
import { startServer } from '../support/server.process';
import { createDatabase, type TestDatabase } from '../support/test.database';

const UNREACHABLE = 'postgres://leadline:x@127.0.0.1:1/leadline';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database?.drop());

/** The exit code and the last line of a start that fails. */
async function endOf(databaseUrl: string, environment: Record<string, string> = {}): Promise<unknown[]> {
  const said = await startServer(databaseUrl, environment).then(
    async (server) => `it started, and ended with ${String(await server.stop())}`,
    (error: Error) => error.message.trim(),
  );
  return [/ended with (\S+)/.exec(said)?.[1], said.split('\n').at(-1)];
}

describe('a start that fails ends with exit code 1 and a last line that names the setting to mend', () => {
  it('DATABASE_URL, when nothing answers there', async () => {
    const line = 'The database that DATABASE_URL names cannot be reached (ECONNREFUSED).';
    expect(await endOf(UNREACHABLE)).toEqual(['1', line]);
  });

  it('HOST, when it is no address of this machine', async () => {
    const line = 'HOST 192.0.2.1 is no address of this machine.';
    expect(await endOf(database.url, { HOST: '192.0.2.1' })).toEqual(['1', line]);
  });

  it('PORT, when another program has it', async () => {
    const holder = await holdPort();
    const line = `PORT ${holder.port} is already in use: stop the other program or choose another PORT.`;
    const end = await endOf(database.url, { PORT: holder.port });
    holder.close();
    expect(end).toEqual(['1', line]);
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN'])('the one of DATABASE_URL and HOST whose name gives %s', (code) => {
    const explain = (hostname: string) =>
      explainStart(Object.assign(new Error(`getaddrinfo ${code}`), { code, hostname }), {
        port: 3000,
        host: 'leadline.internal',
      });
    expect(explain('leadline.internal')).toMatch(/^HOST leadline\.internal /);
    expect(explain('db.internal')).toMatch(/DATABASE_URL .*\./);
  });
});
