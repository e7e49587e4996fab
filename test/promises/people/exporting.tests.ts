import { createHash, randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { CONTENTS } from '@app/contracts/content-samples';
import type { ApiClient, Answer } from '../../support/clients/api.client';
import { beginReading, restOf } from '../../support/clients/slow.reader';
import { eventually } from '../../support/eventually';
import { padded, PDF } from '../../support/media.samples';
import { PASSWORD } from '../../support/clients/session.client';
import type { ErasureScene } from '../../support/scenes/erasure.scene';

const PHONE = '77015550241';
const USER_ID = 'KZ.13491208655302741942';

/** More than one part, and no multiple of three. */
const BYTES = randomBytes(200_000);
/** More than the buffers on the way from the server to its reader hold. */
const LARGE = 32 * 1024 * 1024;
/** What ends a key or a session ends it within this time. */
const ENDED_WITHIN_MS = 1_000;

/** Messages that are read at a time. */
const PAGE = 100;

/**
 * What an export of a dialog has, and who gets it to its end.
 * @param quickUrl of a process that soon gives up slow readers
 */
export function testExports(scene: ErasureScene, quickUrl: () => string): void {
  interface Line {
    record: string;
    [field: string]: any;
  }

  const exportOf = (threadId: string, admin: ApiClient = scene.admin): Promise<Answer> =>
    admin.admin('POST', `threads/${threadId}/export`, {});

  const linesOf = ({ text }: Answer): Line[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  const ofRecord = (lines: Line[], record: string): Line[] => lines.filter((line) => line.record === record);

  let threadId: string;

  const untilStored = (phone: string): Promise<boolean> =>
    eventually(
      async () => {
        const stored = await scene.query(
          `SELECT 1 FROM messages m JOIN threads t USING (account_id) JOIN media x USING (account_id)
          WHERE t.id = m.thread_id AND x.id = m.media_id AND t.phone = $1 AND x.state = 'stored'`,
          `+${phone}`,
        );
        return stored.length > 0;
      },
      15_000,
      'the file was not stored',
    );

  const ofHistory = async (): Promise<{ type: string }[]> => {
    const { body } = await scene.api.getHistory({ thread_id: threadId, limit: 200 });
    return body.data.entries as { type: string }[];
  };

  beforeAll(async () => {
    const theirs = (content: string | object) =>
      scene.number.message({ phone: PHONE, userId: USER_ID, name: 'Dana at WhatsApp' }, content);
    await scene.model.reply({ text: 'The agent’s words', when: 'Hello' });
    await scene.tell(theirs('Hello'));
    const { id } = await scene.dialog(`+${PHONE}`);
    threadId = `thread_${id}`;
    await scene.untilSaid({ phone: PHONE }, 1);
    scene.both.has('exported-file', BYTES, 'application/octet-stream');
    await scene.tell(
      theirs({
        type: 'document',
        document: { id: 'exported-file', filename: 'contract.bin', caption: 'My contract' },
      }),
      theirs({
        type: 'location',
        location: { latitude: 43.2, longitude: 76.9, name: 'Home', address: 'Abay 1' },
      }),
      ...CONTENTS.map(({ cloud }) => theirs(cloud)),
    );
    await untilStored(PHONE);
    await scene.api.setName(threadId, 'Dana of Harbour');
    await scene.api.addNote(threadId, 'Prefers mornings');
    await scene.account.addScenario(scene.stage(2), true, [{ kind: 'wait', seconds: 3_600 }]);
    await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(2) });
    await eventually(
      async () => (await scene.kept.runs(threadId)).length === 1,
      10_000,
      'the scenario did not start',
    );
    // Nothing of it changes while it is compared.
    await scene.untilQuiet(id);
    await eventually(
      async () => (await ofHistory()).some(({ type }) => type === 'scenario'),
      10_000,
      'the history has no scenario',
    );
  });

  // Who may export whose dialog, and its entry in the audit: who-may-what.e2e.spec.ts, whose-thing.e2e.spec.ts.
  it('is everything that is kept of a customer, a line each, files in parts, and ends with their numbers', async () => {
    const answer = await exportOf(threadId);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ]);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${threadId}.ndjson"`);
    const lines = linesOf(answer);
    expect(lines[0]).toMatchObject({
      record: 'thread',
      thread_id: threadId,
      phone: `+${PHONE}`,
      user_id: USER_ID,
      customer_name: 'Dana of Harbour',
      profile_name: 'Dana at WhatsApp',
      lead_status: { id: scene.stage(2) },
    });
    const { body } = await scene.api.getMessages({ thread_id: threadId, limit: 200 });
    const messages = ofRecord(lines, 'message');
    expect(messages.map(({ record: _, provider_content: __, ...message }) => message)).toEqual(
      body.data.messages,
    );
    expect(messages.map(({ text }) => text as string)).toEqual(
      expect.arrayContaining(['Hello', 'The agent’s words', 'My contract', 'Prefers mornings']),
    );
    expect(JSON.stringify(messages)).toContain('Abay 1');
    const unknown = ({ content }: (typeof CONTENTS)[number]): object =>
      content.type === 'reaction' ? { ...content, message_id: null } : content;
    expect(messages.map(({ content }) => content as unknown)).toEqual(
      expect.arrayContaining(CONTENTS.map(unknown)),
    );
    const parts = ofRecord(lines, 'media');
    expect(parts.length).toBeGreaterThan(2);
    const places = parts.map(({ part, last }) => ({ part: part as number, last: last as boolean }));
    expect(places).toEqual(parts.map((_, part) => ({ part, last: part === parts.length - 1 })));
    const bytes = Buffer.from(parts.map(({ base64 }) => base64 as string).join(''), 'base64');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      createHash('sha256').update(BYTES).digest('hex'),
    );
    const history = await ofHistory();
    expect(ofRecord(lines, 'history').map(({ record: _, ...entry }) => entry)).toEqual(history);
    expect(ofRecord(lines, 'run')).toMatchObject([{ thread_id: threadId, steps: [{ kind: 'wait' }] }]);
    expect(lines.at(-1)).toEqual({
      record: 'end',
      messages: messages.length,
      media: 1,
      history: history.length,
      runs: 1,
    });
  });

  it('goes on over many pages', async () => {
    const long = await scene.account.addThread({ statusId: scene.stage(0) });
    await Promise.all(
      Array.from({ length: PAGE + 50 }, (_, n) => scene.account.addMessage(long, { text: `Message ${n}` })),
    );
    const lines = linesOf(await exportOf(long));
    const ids = ofRecord(lines, 'message').map(({ id }) => id as string);
    expect([ids.length, new Set(ids).size, lines.at(-1)?.messages]).toEqual(Array(3).fill(PAGE + 50));
  });

  it('has of an erased customer the skeleton alone', async () => {
    await scene.tell(scene.number.message({ phone: '77015550242', name: 'Sayan' }, 'A secret'));
    const erased = `thread_${(await scene.dialog('+77015550242')).id}`;
    expect((await scene.erase(erased)).status).toBe(200);
    const answer = await exportOf(erased);
    expect(linesOf(answer)[0]).toMatchObject({ phone: null, customer_name: null, profile_name: null });
    expect(answer.text).not.toMatch(/Sayan|A secret|77015550242/);
  });

  describe('an export of a large file', () => {
    let path: string;

    beforeAll(async () => {
      scene.both.has('large-file', padded(PDF, LARGE), 'application/pdf');
      const document = { id: 'large-file', filename: 'contract.pdf' };
      await scene.tell(scene.number.message({ phone: '77015550243' }, { type: 'document', document }));
      await untilStored('77015550243');
      path = `/api/v1/admin/threads/thread_${(await scene.dialog('+77015550243')).id}/export`;
    });

    const begin = (headers: Record<string, string>, url = scene.server.url) =>
      beginReading(url + path, headers);

    const logged = (server: { output(): string }, requestId: unknown): Record<string, unknown>[] =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes(String(requestId)))
        .map((line) => JSON.parse(line) as Record<string, unknown>);

    it('a reader that always takes something, but too slowly in all, is cut off', async () => {
      const answer = await begin({ 'X-API-Key': scene.admin.key }, quickUrl());
      answer.on('error', () => undefined);
      let taken = 0;
      const taking = setInterval(() => (taken += (answer.read() as Buffer | null)?.length ?? 0), 60);
      try {
        await eventually(async () => answer.closed, 25_000, 'it is still served');
        expect(answer.complete).toBe(false);
        expect(taken).toBeGreaterThan(0);
        expect(taken).toBeLessThan(LARGE);
      } finally {
        clearInterval(taking);
        answer.destroy();
      }
    });

    describe('whoever may no longer ask gets no more of an export that has begun', () => {
      /** Waits until calls are refused, and the time is over in which they may still pass. */
      const untilRefused = async (headers: Record<string, string>): Promise<void> => {
        const begun = performance.now();
        const statusNow = async () =>
          (await fetch(`${scene.server.url}/api/v1/admin/users`, { headers })).status;
        await eventually(
          async () => (await statusNow()) === 401 && performance.now() - begun > ENDED_WITHIN_MS,
          ENDED_WITHIN_MS + 4_000,
          'the caller was not refused',
        );
      };

      it('as a key that was revoked, and a person who has signed out', async () => {
        const made = await scene.admin.admin('POST', 'api-keys', { name: 'short-lived', scopes: ['admin'] });
        const { id, key } = made.body.data as { id: string; key: string };
        const person = await scene.join({ role: 'admin' });
        expect((await person.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
        const [byKey, byPerson] = [await begin({ 'X-API-Key': key }), await begin(person.headers)];
        expect((await scene.admin.admin('DELETE', `api-keys/${id}`)).status).toBe(200);
        expect((await person.call('auth/sign-out', {})).body.ok).toBe(true);
        await Promise.all([untilRefused({ 'X-API-Key': key }), untilRefused(person.headers)]);
        for (const [who, answer] of Object.entries({ byKey, byPerson })) {
          const { lines, isWhole } = await restOf(answer);
          expect([who, isWhole, lines.includes('"record":"end"')]).toEqual([who, false, false]);
        }
      });
    });

    it('an export that breaks by a fault of ours is in the log with its cause', async () => {
      const answer = await begin({ 'X-API-Key': scene.admin.key });
      // Runs come last, so the answer has begun when they cannot be read.
      await scene.database.pool.query('ALTER TABLE scenario_runs RENAME TO runs_elsewhere');
      try {
        const { lines, isWhole } = await restOf(answer);
        expect([isWhole, lines.includes('"record":"end"')]).toEqual([false, false]);
      } finally {
        await scene.database.pool.query('ALTER TABLE runs_elsewhere RENAME TO scenario_runs');
      }
      const [line] = await eventually(
        async () => {
          const found = logged(scene.server, answer.headers['x-request-id']);
          return found.length > 0 && found;
        },
        5_000,
        'no log line of the fault',
      );
      expect(line).toMatchObject({
        level: 'error',
        err: { message: expect.stringContaining('scenario_runs') as string },
      });
    });

    it('a reader that leaves is no fault of ours', async () => {
      const answer = await begin({ 'X-API-Key': scene.admin.key });
      const requestId = answer.headers['x-request-id'];
      answer.on('error', () => undefined).destroy();
      // By then the server knows that its reader left.
      expect(await text(await begin({ 'X-API-Key': scene.admin.key }))).toContain('"record":"end"');
      expect(logged(scene.server, requestId)).toEqual([]);
    });
  });
}
