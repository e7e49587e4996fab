import { once } from 'node:events';
import { createServer } from 'node:net';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import { explainStart } from './start-explanation';

const SETTINGS = { port: 80, host: 'leadline.internal' };

const failureOf = (code: string, more: object = {}): Error =>
  Object.assign(new Error(code), { code, ...more });

it.each(['ENOTFOUND', 'EAI_AGAIN'])('names the one of DATABASE_URL and HOST whose name gives %s', (code) => {
  const explain = (hostname: string): string => explainStart(failureOf(code, { hostname }), SETTINGS);
  expect(explain('leadline.internal')).toMatch(/^HOST leadline\.internal /);
  expect(explain('db.internal')).toMatch(/DATABASE_URL .*\./);
});

it('names HOST, when it is no address of this machine', async () => {
  const [error] = (await once(createServer().listen(0, '192.0.2.1'), 'error')) as [unknown];
  expect(explainStart(error, { port: 0, host: '192.0.2.1' })).toBe(
    'HOST 192.0.2.1 is no address of this machine.',
  );
});

it('names PORT for an EACCES of listening only, not for one of a file', () => {
  const explain = (syscall: string): string => explainStart(failureOf('EACCES', { syscall }), SETTINGS);
  expect(explain('listen')).toMatch(/^PORT 80 may not be opened/);
  expect(explain('open')).not.toContain('PORT');
});

it.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
])('names DATABASE_URL, when the certificate of its host gives %s', (code) => {
  const line = explainStart(failureOf(code));
  expect(line).toMatch(/^The database that DATABASE_URL names .* sslrootcert=/);
  expect(line).toContain(code);
});

it('names the database, when it went away after the schema was up to date', () => {
  const line = explainStart(
    new DatabaseUnavailableError(new Error('timeout exceeded when trying to connect')),
  );
  expect(line).toMatch(/^The database that DATABASE_URL names cannot be reached \(no answer in time\)/);
});
