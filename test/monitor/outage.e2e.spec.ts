import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { ApiClient } from '../support/clients/api.client';
import { BoardWindow } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { DialogWriter } from '../support/database/dialog.writer';
import { OwnCluster } from '../support/database/own.cluster';
import { uuidOf } from '../support/database/thread.uuid';
import { eventually } from '../support/eventually';
import { holdPort } from '../support/faults/held.port';
import { RowLock } from '../support/faults/row.lock';
import { triesOf } from '../support/long.mode';
import type { ServerProcess } from '../support/programs/server.process';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const EQUAL_WITHIN_MS = 20_000;
/** Without a network. */
const OUTAGE_S = triesOf(10, 30);
/** Without the server, and asleep. In the usual run these last no longer than the changes that are made meanwhile. */
const OTHER_OUTAGES_S = triesOf(0, 30);
const PAUSE_MS = 1_000;
const DRAFT = 'Ещё не отправлено';
/** So few that all of their cards are in the document. */
const LEADS = 7;

let cluster: OwnCluster;
/** With a port of its own, on which the page's server comes back. */
const environment: Record<string, string> = {};
const scene = setMonitorScene({
  stages: [{ name: 'Новая заявка' }, { name: 'В работе' }, { name: 'Оплачено', kind: 'success' }],
  environment,
  openDatabase: async () => {
    const held = await holdPort();
    held.close();
    environment.PORT = held.port;
    cluster = await OwnCluster.start();
    return { url: cluster.url, pool: cluster.pool, drop: () => cluster.remove() };
  },
});

let person: MonitorPerson;
let pageServer: ServerProcess;
/** Of the server that goes on while the page's is gone. */
let elsewhere: ApiClient;
let writer: DialogWriter;
let leads: string[];
let dialog: string;
let board: BoardWindow;

const NEW = (): string => scene.stage(0);
const WORK = (): string => scene.stage(1);
const PAID = (): string => scene.stage(2);

beforeAll(async () => {
  pageServer = scene.server;
  person = await scene.person();
  const other = await scene.addServer({ PORT: '0' });
  elsewhere = new ApiClient(other.url, scene.account.key);
  writer = new DialogWriter(scene.database.pool, scene.account, { notifies: true });
});

beforeEach(async () => {
  await scene.forgetDialogs();
  leads = await Promise.all(
    Array.from({ length: LEADS }, () => scene.account.addThread({ statusId: NEW() })),
  );
  // Orders are of milliseconds, and the page knows no finer ones.
  for (const [index, id] of leads.entries())
    await scene.kept.setFacts(id, `last_activity_at = clock_timestamp() - interval '${index + 1} min'`);
  dialog = await writer.open('+77025550101');
  await writer.say(dialog, 'USER', 'Здравствуйте');
  // Within the 24 hours in which a text may be written.
  await scene.kept.setFacts(dialog, 'last_inbound_at = clock_timestamp()');
  board = await openWorkspace();
});

/** The board, with a dialog beside it in which something is typed. */
async function openWorkspace(): Promise<BoardWindow> {
  const page = await scene.openAs(person, `/dialogs/${dialog}`, { viewport: { width: 1920, height: 1600 } });
  const opened = new BoardWindow(page);
  await opened.untilOnline();
  await composer(page).fill(DRAFT);
  await page.evaluate('window.isSame = true');
  await untilEqual(page);
  return opened;
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });

/** Moves, renames, switches and messages that the page does not hear of. */
async function changeMuch(round = 0): Promise<void> {
  const stages = [WORK(), PAID(), null, NEW()];
  for (const [index, id] of leads.slice(2).entries())
    await done(elsewhere.setStatus({ thread_id: id, status_id: stages[(index + round) % 4] }));
  await done(elsewhere.setName(leads[3] ?? '', `Данияр ${round}`));
  await done(elsewhere.setAi(leads[4] ?? '', round % 2 === 1));
  // A log shows the messages near its end.
  if (round < 3) await writer.say(dialog, 'USER', `Вы здесь? ${round}`);
}

/** The same again and again. @param atLeast so many rounds at once, then one a second, as long as that lasts */
async function changeFor(seconds: number, atLeast: number): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= until;
  for (let round = 0; round < atLeast || !isOver(); round += 1) {
    await changeMuch(round);
    if (round + 1 >= atLeast && !isOver()) await sleep(PAUSE_MS);
  }
}

async function done(call: ReturnType<ApiClient['setStatus']>): Promise<void> {
  const { body, text } = await call;
  if (!body.ok) throw new Error(text);
}

/** Runs in the page: each column's number and cards from above, and the messages of the dialog. */
const SHOWN = `(() => {
  const columns = {};
  for (const list of document.querySelectorAll('[role=list][data-status-id]')) {
    const cards = [...list.querySelectorAll('[role=listitem]')].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet);
    columns[list.dataset.statusId] = {
      count: Number(list.parentElement.querySelector('[data-count]').dataset.count),
      cards: cards.map((card) => [card.dataset.threadId, card.dataset.handler, card.querySelector('a').textContent]),
    };
  }
  const messages = [...document.querySelectorAll('article[data-message-id]')].map((each) => each.dataset.messageId);
  return { columns, messages };
})()`;

interface Shown {
  columns: Record<string, { count: number; cards: [string, string, string][] }>;
  messages: string[];
}

/** The same of the database. Phones are written for people, so they are left to the page. */
async function kept(): Promise<Shown> {
  const { rows } = await scene.database.pool.query<{
    status: string;
    id: string;
    handler: string;
    name: string;
  }>(
    `SELECT coalesce(status_id::text, 'none') AS status, 'thread_' || id AS id,
            CASE WHEN ai_enabled THEN 'AI' ELSE 'OPERATOR' END AS handler,
            coalesce(name_override, customer_name, '+') AS name
       FROM threads ORDER BY last_activity_at DESC, id DESC`,
  );
  const columns: Shown['columns'] = {};
  for (const id of ['none', ...scene.account.stages]) {
    const here = rows.filter(({ status }) => status === id);
    columns[id] = { count: here.length, cards: here.map(({ id, handler, name }) => [id, handler, name]) };
  }
  const messages = await scene.database.pool.query<{ id: string }>(
    'SELECT id FROM messages WHERE thread_id = $1 ORDER BY created_at, id',
    [uuidOf(dialog)],
  );
  return { columns, messages: messages.rows.map(({ id }) => id) };
}

async function shown(page: Page): Promise<Shown> {
  const seen = await page.evaluate<Shown>(SHOWN);
  for (const { cards } of Object.values(seen.columns))
    for (const card of cards) if (card[2].startsWith('+')) card[2] = '+';
  return seen;
}

async function untilEqual(page: Page): Promise<void> {
  const equal = async (): Promise<boolean> =>
    JSON.stringify(await shown(page)) === JSON.stringify(await kept());
  await eventually(equal, EQUAL_WITHIN_MS, 'the page did not become equal').catch(() => undefined);
  expect(await shown(page)).toEqual(await kept());
}

/** Everything that is promised of the time after an outage. */
async function expectWhole({ page } = board): Promise<void> {
  await page.locator('body[data-connection=online]').waitFor();
  await untilEqual(page);
  expect(await composer(page).inputValue()).toBe(DRAFT);
  expect(await page.evaluate('window.isSame')).toBe(true);
  expect(await page.locator('[data-pending]').count()).toBe(0);
  scene.expectAllQuiet({ outages: true, refusals: true });
}

/** And leaves the columns, whose order stands still while the pointer or the focus is in them. */
async function dragAway(threadId: string): Promise<void> {
  await board.drag(threadId, WORK());
  await board.page.mouse.move(700, 20);
  await composer(board.page).focus();
}

const restart = async (): Promise<void> => {
  pageServer = await scene.addServer();
};

describe(`the page after an outage, without a reload (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'equals the database when the server was killed in the middle of a move, and while it was frozen',
    async () => {
      const [moved = ''] = leads;
      const frozen = await openWorkspace();
      const control = await scene.debug(frozen.page);
      await control.send('Page.setWebLifecycleState', { state: 'frozen' });
      const lock = await RowLock.take(scene.database, moved);
      await dragAway(moved);
      await board.cardIn(WORK(), moved).waitFor();
      await lock.waiters(1);
      await pageServer.kill('SIGKILL');
      await board.page.locator('body[data-connection=offline]').waitFor();
      await lock.release();
      await changeMuch();
      await restart();
      await expectWhole();
      await changeMuch(1);
      await control.send('Page.setWebLifecycleState', { state: 'active' });
      await expectWhole(frozen);
    },
  );

  inChromium(
    'equals the database after a time without network, in which much happened, and has what was opened',
    async () => {
      const { page } = board;
      // Some seconds after it was opened, which a busy machine may need for what follows, the page fetches all its parts.
      await page.route('**/assets/parts-*.json', () => undefined);
      await page.reload();
      await board.untilOnline();
      await page.evaluate('window.isSame = true');
      await untilEqual(page);
      await page.context().setOffline(true);
      await page.locator('body[data-connection=offline]').waitFor();
      await page.getByText('What you see may be out of date').waitFor();
      await changeFor(OUTAGE_S, 3);
      await page.getByRole('button', { name: 'List of keys' }).click();
      await page.getByRole('alert').getByText('This part is not loaded yet.').waitFor();
      expect(await composer(page).inputValue()).toBe(DRAFT);
      await page.context().setOffline(false);
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
      await expectWhole();

      await page.context().setOffline(true);
      await page.locator('body[data-connection=offline]').waitFor();
      await page.getByRole('link', { name: 'Figures' }).click();
      await page.getByRole('main').getByRole('alert').getByText('This part is not loaded yet.').waitFor();
      await page.context().setOffline(false);
      await page.getByRole('heading', { name: 'Figures' }).waitFor();
      expect(await page.getByText('This part is not loaded yet.').count()).toBe(0);
      await page.goBack();
      await expectWhole();
    },
  );

  inChromiumAtLength(
    'equals the database when a move was kept and its answer died with the server',
    async () => {
      const [moved = ''] = leads;
      await board.page.route('**/leads/set-status', async (route) => {
        await route.fetch();
        await pageServer.kill('SIGKILL');
        await route.abort('connectionreset');
      });
      await dragAway(moved);
      await board.page.locator('body[data-connection=offline]').waitFor();
      expect((await scene.kept.thread(moved)).status_id).toBe(WORK());
      await changeFor(OTHER_OUTAGES_S, 1);
      await restart();
      await expectWhole();
    },
  );

  inChromiumAtLength('equals the database after it was frozen, as on a machine that slept', async () => {
    const control = await scene.debug(board.page);
    await control.send('Page.setWebLifecycleState', { state: 'frozen' });
    await changeFor(OTHER_OUTAGES_S, 5);
    await control.send('Page.setWebLifecycleState', { state: 'active' });
    await expectWhole();
  });

  inChromium('equals the database after that was restarted under a move', async () => {
    const [moved = ''] = leads;
    const lock = await RowLock.take(scene.database, moved);
    await dragAway(moved);
    await lock.waiters(1);
    await changeMuch();
    await cluster.goAway();
    await lock.release().catch(() => undefined);
    await cluster.comeBack();
    await eventually(
      async () => (await elsewhere.getLead(moved)).status === 200,
      EQUAL_WITHIN_MS,
      'no way back',
    );
    await changeMuch(1);
    await expectWhole();
  });

  inChromiumAtLength(
    'is not needed for parts that were not opened before: their code is kept from the first seconds on',
    async () => {
      const { page } = board;
      await scene.debug(page);
      await page.clock.install();
      const read = new Set<string>();
      page.on('requestfinished', (request) => read.add(new URL(request.url()).pathname));
      const listed = page.waitForResponse('**/assets/parts-*.json');
      await page.reload();
      await board.untilOnline();
      await page.clock.fastForward(10_000);
      const files = (await (await listed).json()) as string[];
      expect(files.length).toBeGreaterThan(50);
      const areKept = async (): Promise<boolean> => files.every((name) => read.has(name));
      await eventually(areKept, EQUAL_WITHIN_MS, 'not all files were kept');
      await page.context().setOffline(true);
      await page.locator('body[data-connection=offline]').waitFor();
      await page.getByRole('button', { name: 'List of keys' }).click();
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Figures' }).click();
      await page.getByRole('heading', { name: 'Figures' }).waitFor();
      await page.context().setOffline(false);
      scene.expectAllQuiet({ outages: true });
    },
  );

  inChromiumAtLength(
    'of code that is gone offers to load the page anew, and keeps what was typed',
    async () => {
      const { page } = board;
      await page.route('**/assets/figures.page-*.js', (route) => route.fulfill({ status: 404 }));
      await page.getByRole('link', { name: 'Figures' }).click();
      await page.getByRole('main').getByRole('alert').getByText('This part could not be loaded.').waitFor();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Load the page anew' }).click();
      await page.getByRole('heading', { name: 'Figures' }).waitFor();
      await page.goBack();
      await composer(page).waitFor();
      expect(await composer(page).inputValue()).toBe(DRAFT);
      scene.expectAllQuiet({ refusals: true });
    },
  );
});
