import type { BrowserContextOptions } from 'playwright-core';
import { BoardWindow } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { triesOf } from '../support/long.mode';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const DEADLINE_MS = 10_000;
/** Moves of others while a card is in hand. */
const MEANWHILE = triesOf(4, 18);

const scene = setMonitorScene({
  stages: [{ name: 'Новая заявка' }, { name: 'В работе' }, { name: 'Оплачено', kind: 'success' }],
});

let person: MonitorPerson;
let board: BoardWindow;
/** What set-status was asked for by the page. */
let asked: Record<string, unknown>[];

beforeAll(async () => {
  person = await scene.person();
});

beforeEach(async () => {
  await scene.forgetDialogs();
});

const openBoard = async (options?: BrowserContextOptions): Promise<void> => {
  board = new BoardWindow(await scene.openAs(person, scene.boardPath, options));
  asked = [];
  board.page.on('request', (request) => {
    if (request.url().endsWith('/leads/set-status'))
      asked.push(request.postDataJSON() as Record<string, unknown>);
  });
  await board.untilOnline();
};

const NEW = (): string => scene.stage(0);
const WORK = (): string => scene.stage(1);
const PAID = (): string => scene.stage(2);

/** Where the database has a lead. */
const untilAt = (threadId: string, statusId: string | null): Promise<unknown> =>
  eventually(
    async () => ((await scene.kept.thread(threadId)).status_id ?? null) === statusId,
    DEADLINE_MS,
    'the lead did not come there',
  );

const FOCUSED = () => board.page.locator(':focus');
const alert = (words: string | RegExp) => board.page.getByRole('alert').getByText(words);
const notice = (words: string | RegExp) => board.page.getByRole('status').getByText(words);

/** A move as somebody else makes it, by a key. */
const moveByOther = async (threadId: string, statusId: string | null): Promise<void> => {
  const answer = await scene.api.setStatus({ thread_id: threadId, status_id: statusId });
  if (!answer.body.ok) throw new Error(answer.text);
};

describe(`moves by hand (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'by the mouse are one call, open nothing, are told of over no card, and reach a stage by the edge of the board',
    async () => {
      const threadId = await scene.addLead('Данияр');
      await openBoard();
      const bottomOf = async () => {
        const { y = 0, height = 0 } = (await board.column(NEW()).boundingBox()) ?? {};
        return y + height;
      };
      const before = await bottomOf();
      await board.drag(threadId, WORK());
      await board.cardIn(WORK(), threadId).waitFor();
      await untilAt(threadId, WORK());
      expect(asked).toEqual([{ thread_id: threadId, status_id: WORK(), expected_status_id: NEW() }]);
      expect(new URL(board.page.url()).pathname).toBe(scene.boardPath);

      await notice('is in В работе now').waitFor();
      const told = board.page.locator('[data-kind=done]');
      const isClear = async () => (await bottomOf()) <= ((await told.boundingBox())?.y ?? 0);
      await eventually(isClear, DEADLINE_MS, 'the notice lies over the column');
      await told.getByRole('button', { name: 'Close' }).click();
      await eventually(
        async () => (await bottomOf()) === before,
        DEADLINE_MS,
        'its place was not given back',
      );

      await moveByOther(threadId, null);
      await board.cardIn(null, threadId).waitFor();
      await board.page.locator('[class*=flight]').waitFor({ state: 'detached' });
      await board.page.setViewportSize({ width: 800, height: 700 });
      const placeOf = async (statusId: string) => {
        const { x, width } = (await board.column(statusId).boundingBox()) ?? { x: 0, width: 0 };
        return { start: x, end: x + width };
      };
      await board.card(threadId).scrollIntoViewIfNeeded();
      expect((await placeOf(PAID())).start).toBeGreaterThan(800);
      await board.pickUp(threadId);
      // Not so near that the browser scrolls by itself.
      await board.page.mouse.move(745, 400, { steps: 8 });
      await eventually(
        async () => (await placeOf(PAID())).end <= 800,
        DEADLINE_MS,
        'the board did not scroll',
      );
      await board.dropOn(PAID());
      await untilAt(threadId, PAID());
      scene.expectAllQuiet();
    },
  );

  inChromium(
    'that are refused roll back, with the reason and the request; those that come too late can be made all the same',
    async () => {
      const colleague = await scene.person({ name: 'Алия' });
      const threadId = await scene.addLead('Данияр');
      await openBoard();
      await board.page.route('**/leads/set-status', (route) =>
        route.fulfill({
          status: 503,
          json: {
            ok: false,
            error: { code: 'UNAVAILABLE', message: 'The service is away', status: 503, request_id: 'req-7' },
          },
        }),
      );
      await board.drag(threadId, WORK());
      await alert('The service cannot answer now. Try again in a moment.').waitFor();
      await alert('Request req-7').waitFor();
      await board.cardIn(NEW(), threadId).waitFor();
      await board.untilCount(NEW(), 1);
      expect((await scene.kept.thread(threadId)).status_id).toBe(NEW());
      await board.page.unroute('**/leads/set-status');

      await board.pickUp(threadId);
      const move = { thread_id: threadId, status_id: PAID() };
      expect((await colleague.session.call('leads/set-status', move)).body.ok).toBe(true);
      await board.dropOn(WORK());
      await alert(/Алия has moved Данияр to Оплачено/).waitFor();
      await board.cardIn(PAID(), threadId).waitFor();
      await board.page.getByRole('button', { name: 'Move all the same' }).click();
      await board.cardIn(WORK(), threadId).waitFor();
      await untilAt(threadId, WORK());
      scene.expectAllQuiet({ refusals: true });
    },
  );

  inChromium('send one move though the card and its target change meanwhile, again and again', async () => {
    const threadId = await scene.addLead('Данияр');
    const other = await scene.addLead('Мария');
    const target = await scene.addLead('Руслан', WORK());
    await openBoard();
    await board.card(target).waitFor();
    await board.pickUp(threadId);
    for (let event = 0; event < MEANWHILE; event += 1)
      await moveByOther(other, event % 2 === 0 ? PAID() : NEW());
    await scene.api.setName(threadId, 'Данияр Б.');
    await scene.api.setName(target, 'Руслан Б.');
    await board.page.getByText('Руслан Б.').waitFor();
    expect(await board.page.locator('[role=listitem][data-dragged]').count()).toBe(1);
    await board.dropOn(WORK());
    await board.cardIn(WORK(), threadId).getByText('Данияр Б.').waitFor();
    await untilAt(threadId, WORK());
    expect(asked).toEqual([{ thread_id: threadId, status_id: WORK(), expected_status_id: NEW() }]);
    scene.expectAllQuiet();
  });

  inChromiumAtLength(
    'by the menu reach every stage by name, the present one being checked, and none',
    async () => {
      const threadId = await scene.addLead('Данияр');
      await openBoard();
      await board.page.getByRole('button', { name: 'Данияр' }).click();
      const stages = board.page.getByRole('menuitemradio');
      await stages.first().waitFor();
      expect((await stages.allTextContents()).map((name) => name.trim())).toEqual([
        ...['No stage', 'Новая заявка', 'В работе', 'Оплачено'],
      ]);
      expect(await board.page.locator('[role=menuitemradio][aria-checked=true]').allTextContents()).toEqual([
        'Новая заявка',
      ]);
      expect(await board.page.getByRole('menuitemcheckbox').count()).toBe(0);
      await board.page.getByRole('menuitemradio', { name: 'Оплачено' }).click();
      await board.cardIn(PAID(), threadId).waitFor();
      await untilAt(threadId, PAID());
      await board.menuButton(threadId).click();
      await board.page.getByRole('menuitemradio', { name: 'No stage' }).click();
      await board.cardIn(null, threadId).waitFor();
      await untilAt(threadId, null);
      scene.expectAllQuiet();
    },
  );

  inChromiumAtLength('by the menu answer the waiting message where one waits and it is wanted', async () => {
    const threadId = await scene.account.addThread({ statusId: NEW(), waitingMinutes: 3 });
    await openBoard();
    await board.menuButton(threadId).click();
    await board.page.getByRole('menuitemcheckbox', { name: 'Answer the waiting message' }).click();
    await board.page.getByRole('menuitemradio', { name: 'В работе' }).click();
    await untilAt(threadId, WORK());
    expect(asked).toMatchObject([{ answer_pending_message: true }]);
    scene.expectAllQuiet();
  });

  inChromiumAtLength('to where a card stands answer the waiting message, by its menu', async () => {
    const threadId = await scene.account.addThread({ statusId: NEW(), waitingMinutes: 3 });
    await openBoard();
    await board.menuButton(threadId).click();
    await board.page.getByRole('menuitemcheckbox', { name: 'Answer the waiting message' }).click();
    await board.page.getByRole('menuitemradio', { name: 'Новая заявка' }).click();
    // No model is configured here.
    await notice(/^The AI cannot answer the waiting message of .+ now\.$/).waitFor();
    const stage = { status_id: NEW(), expected_status_id: NEW() };
    expect(asked).toEqual([{ thread_id: threadId, ...stage, answer_pending_message: true }]);
    scene.expectAllQuiet();
  });

  inChromiumAtLength('by the menu keep the focus in it where the stage that has it is archived', async () => {
    const { body } = await scene.admin.admin('POST', 'statuses', {
      ...{ assistant_id: scene.account.assistantId, name: 'Недолгий', kind: 'active' },
    });
    const { id } = body.data as { id: string };
    const threadId = await scene.addLead('Данияр');
    await openBoard();
    await board.card(threadId).focus();
    await board.page.keyboard.press('m');
    await board.page.getByRole('menuitemradio', { name: 'Новая заявка' }).and(FOCUSED()).waitFor();
    await board.page.keyboard.press('End');
    await board.page.getByRole('menuitemradio', { name: 'Недолгий' }).and(FOCUSED()).waitFor();
    await scene.admin.admin('DELETE', `statuses/${id}?move_to=none`);
    await board.page.getByRole('menuitemradio', { name: 'Новая заявка' }).and(FOCUSED()).waitFor();
    scene.expectAllQuiet();
  });

  inChromiumAtLength('by the menu are as quick as the keys: what opens it takes no focus back', async () => {
    const threadId = await scene.addLead('Данияр');
    await openBoard();
    // What the page puts off by a moment waits here until the test lets it go on.
    await board.page.evaluate(`
      window.putOff = [];
      window.setTimeoutBefore = window.setTimeout;
      window.setTimeout = (run, delay, ...values) =>
        delay ? window.setTimeoutBefore(run, delay, ...values) : window.putOff.push(() => run(...values));
    `);
    const focused = board.page.getByRole('menuitemradio', { name: 'Новая заявка' }).and(FOCUSED());
    await board.card(threadId).focus();
    await board.page.keyboard.press('m');
    await eventually(
      async () => {
        await board.page.evaluate('window.putOff.shift()?.()');
        return (await focused.count()) === 1;
      },
      DEADLINE_MS,
      'the menu did not take the focus',
    );
    await board.page.keyboard.press('ArrowDown');
    expect(await board.page.evaluate('window.putOff.length')).toBeGreaterThan(0);
    await board.page.evaluate('for (const goOn of window.putOff) goOn()');
    await board.page.keyboard.press('Enter');
    await untilAt(threadId, WORK());
    scene.expectAllQuiet();
  });

  inChromiumAtLength('show at once, before the service has answered', async () => {
    const threadId = await scene.addLead('Данияр');
    await openBoard();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await board.page.route('**/leads/set-status', async (route) => {
      await held;
      await route.continue();
    });
    await board.drag(threadId, WORK());
    await board.cardIn(WORK(), threadId).waitFor();
    await board.untilCount(WORK(), 1);
    await board.untilCount(NEW(), 0);
    expect((await scene.kept.thread(threadId)).status_id).toBe(NEW());
    letGo();
    await untilAt(threadId, WORK());
    await board.page.locator(`[data-thread-id="${threadId}"]:not([data-pending])`).waitFor();
    scene.expectAllQuiet();
  });

  inChromiumAtLength('can be taken back, without starting the scenarios of the stage', async () => {
    const threadId = await scene.addLead('Данияр');
    await openBoard();
    await board.drag(threadId, WORK());
    await notice('Данияр is in В работе now').waitFor();
    await untilAt(threadId, WORK());
    await board.page.getByRole('button', { name: 'Undo' }).click();
    await board.cardIn(NEW(), threadId).waitFor();
    await untilAt(threadId, NEW());
    expect(asked.at(-1)).toEqual({
      ...{ thread_id: threadId, status_id: NEW(), expected_status_id: WORK(), skip_scenarios: true },
    });
    scene.expectAllQuiet();
  });

  inChromiumAtLength(
    'can be taken back while they were the last one of their card, whoever makes the next',
    async () => {
      const threadId = await scene.addLead('Данияр');
      await openBoard();
      const undo = board.page.getByRole('button', { name: 'Undo' });
      await board.drag(threadId, WORK());
      await notice('Данияр is in В работе now').waitFor();
      await board.drag(threadId, PAID());
      await notice('Данияр is in Оплачено now').waitFor();
      expect(await undo.count()).toBe(1);
      await undo.click();
      await board.cardIn(WORK(), threadId).waitFor();
      await untilAt(threadId, WORK());

      await board.drag(threadId, PAID());
      await undo.waitFor();
      await moveByOther(threadId, NEW());
      await undo.waitFor({ state: 'detached' });
      expect((await scene.kept.thread(threadId)).status_id).toBe(NEW());
      scene.expectAllQuiet();
    },
  );

  inChromiumAtLength(
    'of a card that is dropped beside the columns, or where it was, send nothing',
    async () => {
      const threadId = await scene.addLead('Данияр');
      await openBoard();
      await board.pickUp(threadId);
      await board.page.mouse.move(700, 20, { steps: 5 });
      await board.page.mouse.up();
      await board.page.locator('[data-dragged]').waitFor({ state: 'detached' });
      await board.drag(threadId, NEW());
      await board.cardIn(NEW(), threadId).waitFor();
      expect(asked).toEqual([]);
      scene.expectAllQuiet();
    },
  );

  inChromiumAtLength('leave a card in hand where it is, and say at the end what happened to it', async () => {
    const threadId = await scene.addLead('Данияр');
    await openBoard();
    await board.menuButton(threadId).click();
    await board.page.getByRole('menuitemradio', { name: 'Новая заявка' }).and(FOCUSED()).waitFor();
    const stages = await board.page.getByRole('menuitemradio').count();
    await moveByOther(threadId, PAID());
    await board.untilCount(PAID(), 1);
    expect(await board.cardIn(NEW(), threadId).count()).toBe(1);
    expect(await board.page.getByRole('menuitemradio').count()).toBe(stages);
    await board.page.keyboard.press('Escape');
    await notice(/^Meanwhile .* moved Данияр to Оплачено\.$/).waitFor();
    await board.cardIn(PAID(), threadId).waitFor();
    scene.expectAllQuiet();
  });

  inChromiumAtLength('move a card once: its own echo changes nothing more', async () => {
    const threadId = await scene.addLead('Данияр');
    await scene.addLead('Мария', WORK());
    await openBoard();
    await board.page.evaluate(`
      window.places = [];
      const look = () => {
        const card = document.querySelector('[role=listitem][data-thread-id="${threadId}"]');
        const place = card ? card.closest('[role=list]').dataset.statusId + ' ' + card.ariaPosInSet : 'gone';
        if (window.places.at(-1) !== place) window.places.push(place);
        requestAnimationFrame(look);
      };
      look();
    `);
    const answered = board.page.waitForResponse('**/leads/set-status');
    await board.drag(threadId, WORK());
    await answered;
    await board.page.locator(`[data-thread-id="${threadId}"]:not([data-pending])`).waitFor();
    // The totals of both columns come after the echo.
    await moveByOther(await scene.addLead('Олег'), PAID());
    await board.untilCount(PAID(), 1);
    expect(await board.page.evaluate('window.places')).toEqual([`${NEW()} 1`, `${WORK()} 1`]);
    expect(await board.page.locator('[class*=flight]').count()).toBe(0);
    scene.expectAllQuiet();
  });

  inChromiumAtLength('are told on a phone beside what is pressed next', async () => {
    const threadId = await scene.addLead('Данияр');
    await openBoard({ viewport: { width: 360, height: 740 } });
    const { page } = board;
    const stage = page.getByLabel('Stage', { exact: true });
    await stage.selectOption(NEW());
    await board.menuButton(threadId).click();
    await page.getByRole('menuitemradio', { name: 'В работе' }).click();
    await notice('Данияр is in В работе now').waitFor();
    for (const part of [
      ...[page.getByRole('searchbox'), page.getByRole('button', { name: 'Filters' }), stage],
      ...['Agent', 'Order'].map((name) => page.getByLabel(name, { exact: true })),
    ])
      await part.click({ trial: true, timeout: 3_000 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await board.card(threadId).waitFor();
    scene.expectAllQuiet();
  });

  inChromiumAtLength('are no drags by a finger, which has the menu', async () => {
    const threadId = await scene.addLead('Данияр');
    board = new BoardWindow(await scene.openAs(person, scene.boardPath, { hasTouch: true }));
    await board.untilOnline();
    await board.card(threadId).waitFor();
    const isDragged = (pointerType: string): Promise<boolean> =>
      board.page.evaluate<boolean>(`{
        const card = document.querySelector('[role=listitem][data-thread-id="${threadId}"]');
        card.dispatchEvent(new PointerEvent('pointerdown', { pointerType: '${pointerType}', bubbles: true }));
        const start = { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() };
        const began = card.dispatchEvent(new DragEvent('dragstart', start));
        card.dispatchEvent(new DragEvent('dragend', { bubbles: true }));
        began;
      }`);
    expect(await isDragged('touch')).toBe(false);
    expect(await isDragged('mouse')).toBe(true);
    await board.page.locator('[data-dragged]').waitFor({ state: 'detached' });
    await board.menuButton(threadId).tap();
    await board.page.getByRole('menuitemradio', { name: 'В работе' }).tap();
    await untilAt(threadId, WORK());
    scene.expectAllQuiet();
  });
});
