import type { AuditRepository, NewAuditEntry } from '@app/persistence/audit/audit.repository';
import { Logger } from '@nestjs/common';
import type { Principal } from '../accounts/principal.rules';
import { Audit } from './audit.service';

const MINUTE_MS = 60_000;

const kept: NewAuditEntry[] = [];
let audit: Audit;

beforeAll(() => {
  Logger.overrideLogger(false);
});

beforeEach(() => {
  kept.length = 0;
  const entries = { appendAlone: async (entry: NewAuditEntry) => void kept.push(entry) };
  audit = new Audit(entries as unknown as AuditRepository);
});

afterEach(() => jest.restoreAllMocks());

/** Somebody who is not recognised is refused, from an address. */
const knock = (ip: string): Promise<void> =>
  audit.refused({ type: null, ip }, 'POST /api/v1/auth/sign-in', 'CSRF');

async function knockOften(times: number, ipOf: (n: number) => string): Promise<number> {
  const before = kept.length;
  for (let n = 0; n < times; n++) await knock(ipOf(n));
  return kept.length - before;
}

it('of strangers of a network sixty refusals are kept in a minute, whatever their addresses', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  expect(await knockOften(100, (n) => `2001:db8:0:7::${(n + 1).toString(16)}`)).toBe(60);
  expect(await knockOften(1, () => '2001:db8:0:8::1')).toBe(1);
  now.mockReturnValue(MINUTE_MS);
  expect(await knockOften(1, () => '2001:db8:0:7::1')).toBe(1);
});

it('of strangers of all networks six hundred refusals are kept in a minute', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const from = (n: number): string => `198.51.${100 + (n >> 8)}.${n & 255}`;
  expect(await knockOften(700, from)).toBe(600);
  now.mockReturnValue(MINUTE_MS);
  expect(await knockOften(700, from)).toBe(600);
});

it('of a caller who is known every refused call is kept, and six hundred refused boards', async () => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  const caller: Principal = {
    ...{ type: 'key', id: 'k', name: 'key', accountId: 'a', scopes: [], role: null },
    ...{ botIds: [], assistantIds: [] },
  };
  for (let n = 0; n < 700; n++) await audit.refused(caller, 'user.list', 'FORBIDDEN');
  expect(kept).toHaveLength(700);
  for (let n = 0; n < 700; n++) await audit.refused(caller, 'board.open', 'FORBIDDEN');
  expect(kept).toHaveLength(1_300);
});
