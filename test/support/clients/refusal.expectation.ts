import type { Pool } from 'pg';
import type { Answer } from './api.client';
import { dumpOf } from '../database/database.dump';

/** The call is refused with the status, the code and, for a body, the paths of its violations; no row changes. */
export async function expectRefused(
  db: Pool,
  call: () => Promise<Answer>,
  [status, code]: [number, string],
  paths: string[] = [],
): Promise<Answer> {
  const before = await dumpOf(db);
  const answer = await call();
  const { error } = answer.body;
  expect([answer.status, error?.code]).toEqual([status, code]);
  expect((error.details ?? []).map(({ path }) => path)).toEqual(paths);
  expect(await dumpOf(db)).toEqual(before);
  return answer;
}

/** A refusal without what differs by call, so that two of them can be held to be the same byte for byte. */
export const refusalOf = ({ status, text, body }: Answer): { status: number; text: string } => ({
  status,
  text: text.replace(body.error.request_id, 'the request id'),
});
