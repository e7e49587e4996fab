import { eventually } from '../eventually';
import { BoardClient } from './board.client';
import type { SessionClient } from './session.client';

/** What is promised: calls and open boards alike, on every process. */
export const ENDED_WITHIN_MS = 2_000;

/** A board by the session's cookie, as a page of the service opens it. */
export const boardBy = (
  { url, cookie }: SessionClient,
  headers: object = {},
  auth: object = {},
  options: object = {},
): Promise<BoardClient> =>
  BoardClient.connect(url, auth, { extraHeaders: { Cookie: cookie, Origin: url, ...headers }, ...options });

/** A session in use: by calls to each process, and by a board that is open at each. */
export class SessionWatch {
  private constructor(
    private readonly pages: readonly SessionClient[],
    private readonly boards: readonly BoardClient[],
  ) {}

  static async of(
    session: SessionClient,
    urls: readonly string[],
    assistantId: string,
  ): Promise<SessionWatch> {
    const pages = urls.map((url) => session.at(url));
    const boards = await Promise.all(pages.map((page) => boardBy(page)));
    for (const board of boards) await board.open(assistantId);
    return new SessionWatch(pages, boards);
  }

  /** From now on, within the promised time, every process refuses the session and closes its board. */
  async ends(): Promise<void> {
    await Promise.all([
      ...this.pages.map((page) =>
        eventually(
          async () => (await page.call('auth/me')).status === 401,
          ENDED_WITHIN_MS,
          'calls by the session were not refused',
        ),
      ),
      ...this.boards.map((board) =>
        eventually(
          () => Promise.resolve(board.disconnectedBecause),
          ENDED_WITHIN_MS,
          'the board of the session was not closed',
        ),
      ),
    ]);
  }

  /** Every process still serves the session, and its boards are open. */
  async goesOn(): Promise<void> {
    for (const page of this.pages) expect((await page.call('auth/me')).status).toBe(200);
    for (const board of this.boards) {
      expect(await board.request('board:close', {})).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    }
  }

  close(): void {
    for (const board of this.boards) board.close();
  }
}
