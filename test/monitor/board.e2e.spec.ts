import type { BrowserContextOptions, Locator } from 'playwright-core';
import { axeFaults, GOOD_PRACTICE } from '../support/clients/axe.checker';
import { BoardClient } from '../support/clients/board.client';
import { BoardWindow } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { IS_LONG } from '../support/long.mode';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const DEADLINE_MS = 10_000;

const scene = setMonitorScene({
  stages: [
    ...[{ name: 'Новая заявка' }, { name: 'В работе' }, { name: 'Квалифицирован' }],
    ...[{ name: 'Ожидает оплаты' }, { name: 'Оплачено', kind: 'success' as const }],
  ],
});

const NEW = (): string => scene.stage(0);
const WORK = (): string => scene.stage(1);
const PAID = (): string => scene.stage(4);

let person: MonitorPerson;

beforeAll(async () => {
  person = await scene.person();
});

beforeEach(() => scene.forgetDialogs());

const openBoard = async (options: BrowserContextOptions = {}): Promise<BoardWindow> => {
  const board = new BoardWindow(await scene.openAs(person, scene.boardPath, options));
  await board.untilOnline();
  return board;
};

const move = async (threadId: string, statusId: string | null): Promise<void> => {
  const { body, text } = await scene.api.setStatus({ thread_id: threadId, status_id: statusId });
  if (!body.ok) throw new Error(text);
};

/** Of every kind that a card can be of. */
async function addEveryKind(): Promise<void> {
  const every = await scene.account.addThread({
    ...{ statusId: NEW(), waitingMinutes: 12, takeoverSeconds: 900, phone: '+77015551006' },
  });
  await scene.kept.setFacts(
    every,
    `unread_count = 2, attention = 'scenario', attention_note = 'просит счёт', attention_since = clock_timestamp(),
     last_message_role = 'USER', last_message_text = 'Сколько стоит?', last_message_at = clock_timestamp(),
     assignee_id = '${person.session.userId}'`,
  );
  await scene.account.addThread({ statusId: NEW(), optedOut: true });
  await scene.account.addThread({ statusId: WORK(), aiEnabled: false });
  await scene.account.addThread();
}

/** What the parts of the page look like in each of their states. */
async function expectPartsFit(board: BoardWindow): Promise<void> {
  await board.page.evaluate(`history.pushState({}, '', '/design')`);
  await board.page.getByRole('heading', { name: 'Messages' }).waitFor();
  expect(await axeFaults(board.page)).toEqual([]);
}

const looksOf = <Look>(usual: Look, further: Look): readonly Look[] => (IS_LONG ? [usual, further] : [usual]);
const WIDE = looksOf({ colorScheme: 'light', locale: 'en-GB' }, { colorScheme: 'dark', locale: 'ru-RU' });
const NARROW = looksOf({ colorScheme: 'dark', locale: 'ru-RU' }, { colorScheme: 'light', locale: 'en-GB' });

describe(`the board for everybody (${CHROMIUM_NEEDED})`, () => {
  beforeEach(addEveryKind);

  inChromium.each(WIDE)(
    'has nothing that axe finds, with its filters and a menu open: $colorScheme, $locale',
    async (look) => {
      const board = await openBoard(look as BrowserContextOptions);
      expect(await board.page.locator('html').getAttribute('data-theme')).toBe(look.colorScheme);
      await board.page.getByRole('button', { name: /^(Filters|Фильтры)$/ }).click();
      await board.page.getByLabel(/^(Channel|Канал)$/).waitFor();
      await board.page.locator('[role=listitem] button[aria-haspopup=menu]').first().click();
      await board.page.getByRole('menuitemradio').first().waitFor();
      expect(await axeFaults(board.page, { tags: GOOD_PRACTICE })).toEqual([]);
      await expectPartsFit(board);
      scene.expectAllQuiet();
    },
  );

  inChromium.each(NARROW)(
    'fits a phone of 360 px, one column at a time, and keeps room for cards at 400 % zoom: $colorScheme, $locale',
    async (look) => {
      const board = await openBoard({
        ...(look as BrowserContextOptions),
        viewport: { width: 360, height: 740 },
      });
      const { page } = board;
      const lists = page.locator('[role=list][data-status-id]');
      expect(await lists.count()).toBe(1);
      // The choice above it names it. The heading is for screen readers.
      const heading = await page.getByRole('heading', { name: /^(No stage|Без этапа)$/ }).boundingBox();
      expect(heading?.width).toBeLessThanOrEqual(1);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      const choice = page.getByLabel(/^(Stage|Этап)$/);
      await choice.selectOption(NEW());
      expect(await choice.locator('option:checked').textContent()).toContain('(2)');
      await board.column(NEW()).getByRole('listitem').nth(1).waitFor();
      expect(await lists.count()).toBe(1);
      expect(await board.column(NEW()).getByRole('listitem').count()).toBe(2);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      expect(await axeFaults(page, { tags: GOOD_PRACTICE })).toEqual([]);
      // A screen of 1280 by 1024 px.
      await page.setViewportSize({ width: 320, height: 256 });
      expect((await board.column(NEW()).boundingBox())?.height).toBeGreaterThan(150);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      await page.setViewportSize({ width: 1440, height: 900 });
      await expectPartsFit(board);
      scene.expectAllQuiet();
    },
  );
});

describe(`what is found on the board (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'stays filtered by the address over a reload, and comes into view beside its dialog, where nothing else moves',
    async () => {
      const near = await scene.addLead('Мария', WORK());
      const far = await scene.account.addThread({ statusId: scene.stage(2), waitingMinutes: 5 });
      const board = await openBoard({ viewport: { width: 1200, height: 740 }, reducedMotion: 'reduce' });
      const { page } = board;
      await board.card(near).waitFor();
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('Waiting', { exact: true }).selectOption('true');
      await board.card(near).waitFor({ state: 'detached' });
      await board.card(far).waitFor();
      expect(new URL(page.url()).searchParams.get('waiting')).toBe('true');
      await page.reload();
      await board.card(far).waitFor();
      expect(await board.card(near).count()).toBe(0);
      await page.getByRole('button', { name: 'Clear all' }).click();
      await board.card(near).waitFor();
      expect(new URL(page.url()).search).toBe('');

      const leftOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.x ?? 0;
      await board.card(far).click();
      const dialog = page.locator(`[data-dialog-of="${far}"]`);
      await dialog.waitFor();
      const untilBeside = async (): Promise<boolean> => {
        const card = await board.card(far).boundingBox();
        return card !== null && card.x + card.width <= (await leftOf(dialog));
      };
      await eventually(untilBeside, DEADLINE_MS, 'the dialog lies over the card');
      const place = await leftOf(board.card(near));
      await board.card(near).click();
      await page.locator(`[data-dialog-of="${near}"]`).waitFor();
      expect(await leftOf(board.card(near))).toBe(place);
      scene.expectAllQuiet();
    },
  );
});

describe(`the keys of the board (${CHROMIUM_NEEDED})`, () => {
  /** Leads of a stage, the first of the column first. */
  async function addLeads(statusId: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let lead = 0; lead < count; lead += 1) ids.unshift(await scene.account.addThread({ statusId }));
    // Of two that came in one millisecond, their ids would say which is first.
    await scene.database.pool.query(
      `UPDATE threads SET last_activity_at = created_at - make_interval(secs => array_position($1::text[], 'thread_' || id))
        WHERE 'thread_' || id = ANY ($1)`,
      [ids],
    );
    return ids;
  }

  inChromium(
    'move the focus between cards and columns, by their place on the keyboard, in a Cyrillic layout too',
    async () => {
      const left = await addLeads(NEW(), 3);
      const right = await addLeads(WORK(), 2);
      const board = await openBoard();
      for (const id of [...left, ...right]) await board.card(id).waitFor();
      const { page } = board;
      const untilFocused = (threadId: string | undefined): Promise<void> =>
        page.locator(`[role=listitem][data-thread-id="${threadId}"]:focus`).waitFor();
      const steps: [string, string | undefined][] = [
        ['j', left[0]],
        ['j', left[1]],
        ['ArrowDown', left[2]],
        ['k', left[1]],
        ['ArrowRight', right[1]],
        ['ArrowUp', right[0]],
        ['ArrowLeft', left[0]],
      ];
      for (const [key, focused] of steps) {
        await page.keyboard.press(key);
        await untilFocused(focused);
      }

      const session = await scene.debug(page);
      // As a keyboard with another layout sends it.
      const pressInLayout = async (key: string, code: string): Promise<void> => {
        for (const type of ['keyDown', 'keyUp'] as const)
          await session.send('Input.dispatchKeyEvent', {
            ...{ type, key, code },
            ...(type === 'keyDown' ? { text: key } : {}),
          });
      };
      await pressInLayout('о', 'KeyJ');
      await untilFocused(left[1]);
      await pressInLayout('ь', 'KeyM');
      await page.locator('[role=menuitemradio]:focus').waitFor();
      // A letter leads to the stage that begins with it, in any layout, and does nothing else on the board.
      await pressInLayout('в', 'KeyD');
      await page.locator('[role=menuitemradio]:focus', { hasText: 'В работе' }).waitFor();
      await page.keyboard.press('Escape');
      await untilFocused(left[1]);
      await pressInLayout('.', 'Slash');
      await page.locator('input[type=search]:focus').waitFor();
      scene.expectAllQuiet();
    },
  );
});

describe(`the live board (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'shows a move by an API call as an API key’s socket tells it, and keeps the order under the pointer',
    async () => {
      const moved = await scene.addLead('Данияр');
      const first = await scene.addLead('Первый', WORK());
      const second = await scene.addLead('Второй', WORK());
      const board = await openBoard();
      const socket = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
      await socket.open(scene.account.assistantId);
      await move(moved, PAID());
      await board.cardIn(PAID(), moved).waitFor();
      await board.untilCount(PAID(), 1);
      await board.untilCount(NEW(), 0);
      expect(await board.card(moved).count()).toBe(1);
      const event = await socket.hears(
        ({ thread_id: id, event: name }) => id === moved && name === 'card.moved',
      );
      expect(event).toMatchObject({ to_status_id: PAID(), card: { lead_status: { id: PAID() } } });
      socket.close();

      // Its order stands still while the pointer is in it, until the chip is pressed.
      await board.card(second).hover();
      const before = await board.ids(WORK());
      expect(before).toHaveLength(2);
      const bottom = before[1] ?? '';
      const other = await scene.addLead('А', PAID());
      for (const id of [other, moved]) await move(id, WORK());
      await scene.api.setName(bottom, 'Последний');
      await move(bottom, NEW());
      await move(bottom, WORK());
      const chip = board.page.getByRole('button', { name: '3 changed' });
      await chip.waitFor();
      expect((await board.ids(WORK())).filter((id) => id === first || id === second)).toEqual(
        before.filter((id) => id !== bottom),
      );
      await chip.click();
      await board.page.locator(`[data-thread-id="${bottom}"][aria-posinset="1"]`).waitFor();
      expect(await board.ids(WORK())).toEqual([bottom, moved, other, before[0]]);
      expect(await chip.count()).toBe(0);
      scene.expectAllQuiet();
    },
  );

  inChromium('goes, and its dialog with it, while the agent is taken from whoever looks at it', async () => {
    const narrowed = await scene.person({ name: 'Берик' });
    const threadId = await scene.addLead('Секрет');
    const agent = await scene.account.addAssistant();
    const { page } = new BoardWindow(await scene.openAs(narrowed, `/dialogs/${threadId}`));
    await page.getByRole('log').waitFor();
    await page.locator('body[data-connection=online]').waitFor();
    const change = { assistant_ids: [agent] };
    await scene.admin.call(`admin/users/${narrowed.session.userId}`, change, 'PATCH');
    await page.getByText('There is no such board').waitFor();
    await page.getByText('Секрет').first().waitFor({ state: 'detached' });
    await page.locator('body[data-connection=online]').waitFor();
    await page.getByRole('main').getByRole('link').last().waitFor();
    const given = { assistant_ids: [agent, scene.account.assistantId] };
    await scene.admin.call(`admin/users/${narrowed.session.userId}`, given, 'PATCH');
    await page.getByText('Секрет').first().waitFor();
    await page.getByRole('log').waitFor();
    await scene.admin.call(`admin/users/${narrowed.session.userId}`, change, 'PATCH');
    await page.getByText('There is no such board').waitFor();
    await page.getByRole('main').getByRole('link').last().click();
    await page.waitForURL(`**/board/${agent}*`);
    scene.expectAllQuiet({ refusals: true, outages: true });
  });
});
