import { request } from '../../support/clients/api.client';
import { startServer } from '../../support/programs/server.process';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(() => database?.drop());

/** All that a process says from its start to its end. */
async function said(settings: Record<string, string>): Promise<string[]> {
  const server = await startServer(database.url, { LOG_LEVEL: 'info', ...settings });
  try {
    await request(`${server.url}/health/live`);
  } finally {
    await server.stop();
  }
  return server.output().trimEnd().split('\n');
}

it('a process that serves says at the level info that it listens, and where, and that it stopped', async () => {
  expect(await said({})).toEqual([
    expect.stringMatching(/^Leadline listens on http:\/\/127\.0\.0\.1:\d+$/),
    'Leadline stopped',
  ]);
});

it.each([
  [{ HOST: '' }, '(and on every other address of this machine)'],
  [
    { HOST: '0.0.0.0', ROLE: 'worker' },
    '(and on every other address of this machine; a worker: no operations and no boards)',
  ],
])('one with %j says that it listens everywhere', async (settings, note) => {
  const [line] = await said(settings);
  expect(line).toMatch(/^Leadline listens on http:\/\/127\.0\.0\.1:\d+ /);
  expect(line).toContain(note);
});

it('its parts are logged at the level debug', async () => {
  const lines = await said({ LOG_LEVEL: 'debug' });
  expect(lines.join('\n')).toMatch(/"level":"debug".*"msg":"Mapped \{\/health\/live, GET\} route"/);
});
