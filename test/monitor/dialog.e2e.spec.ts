import type { Page } from 'playwright-core';
import { axeFaults, axeFaultsOfThemes, GOOD_PRACTICE } from '../support/clients/axe.checker';
import { BoardClient } from '../support/clients/board.client';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { WITH_CLIPBOARD } from '../support/clients/page.clipboard';
import { uuidOf } from '../support/database/thread.uuid';
import { eventually } from '../support/eventually';
import { IS_LONG } from '../support/long.mode';
import { ask, askAll, partsOf, setDialogScene } from './dialog.scene';

const scene = setDialogScene({ stages: [{ name: 'Новая' }, { name: 'В работе' }, { name: 'Оплачено' }] });

/** How quickly two windows of one person agree; the promise is 300 ms on a quiet machine. */
const AGREE_MS = 5_000;

/** Runs in the page: those that the system shows, in words. A browser without a screen lets no page show any. */
const RECORD_NOTIFICATIONS = `
  globalThis.shownNotifications = [];
  globalThis.Notification = class extends Notification {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, options) {
      super(title, options);
      this.words = title + ': ' + options.body;
      shownNotifications.push(this.words);
    }
    close() {
      super.close();
      shownNotifications = shownNotifications.filter((words) => words !== this.words);
    }
  };`;

const stageButton = (page: Page) => page.locator('[data-dialog-of] [data-stage-id]');

describe(`a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'two windows of one person agree, and weave in what happened, by time, with who did it',
    async () => {
      const { id, phone } = await scene.customer();
      const page = await scene.openDialog(id);
      const other = await scene.openBeside(page);
      await scene.go(other, `/dialogs/${id}`);
      await other.locator('body[data-connection=online]').waitFor();
      const { field, happened, log, message, words } = partsOf(other);
      await field.waitFor();
      const chooseStage = async (name: string): Promise<void> => {
        await stageButton(page).click();
        await page.getByRole('menuitemradio', { name }).click();
        await stageButton(other).getByText(name).waitFor({ timeout: AGREE_MS });
      };

      await chooseStage('Новая');
      await happened('Stage “Новая” · Айгерим').waitFor();
      await chooseStage('В работе');
      await happened('“Новая” → “В работе” · Айгерим').waitFor();
      await partsOf(page).field.fill('Из первого окна');
      await partsOf(page).field.press('Enter');
      await message('Из первого окна').waitFor({ timeout: AGREE_MS });
      await happened('A person took over · Айгерим').waitFor();
      // Whoever answers has it.
      await happened('Assigned to Айгерим · Айгерим').waitFor();
      await other.getByRole('button', { name: 'Assigned to Айгерим' }).waitFor({ timeout: AGREE_MS });
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Name of the customer' }).fill('Алия, оптом');
      await page.keyboard.press('Enter');
      await other.getByRole('heading', { name: 'Алия, оптом' }).waitFor({ timeout: AGREE_MS });
      await happened('Named “Алия, оптом” · Айгерим').waitFor();
      const order = await askAll(log.locator('[data-message-id], [data-history-seq]'), (lines) =>
        lines.map((line) => line.dataset.historyType ?? line.dataset.role),
      );
      const begun = ['USER', 'status', 'status', 'OPERATOR', 'handler', 'assignee', 'name'];
      expect(order.slice(0, begun.length)).toEqual(begun);

      await page.getByRole('button', { name: 'Assigned to Айгерим' }).click();
      await page.getByRole('menuitemradio', { name: 'Nobody' }).click();
      await other.getByRole('button', { name: 'Assigned to nobody' }).waitFor({ timeout: AGREE_MS });
      await partsOf(page).switch.click();
      await words.filter({ hasText: 'AI is off' }).waitFor({ timeout: AGREE_MS });
      await other.locator('[role=switch][aria-checked=false]').waitFor();
      await happened('AI was switched off · Айгерим').waitFor();
      expect((await scene.kept.thread(id)).ai_enabled).toBe(false);
      await scene.says(phone, 'Стоп');
      await happened('The customer unsubscribed · the customer').waitFor();
      expect(await log.getAttribute('aria-live')).toBe('off');
      const seqs = await askAll(log.locator('[data-history-seq]'), (lines) =>
        lines.map((line) => Number(line.dataset.historySeq)),
      );
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
      scene.expectAllQuiet();
    },
  );

  inChromium(
    'of 5,000 messages reads one page, stays where one reads, follows at the end, and gets older ones without a jump',
    async () => {
      const { id, phone } = await scene.longDialog(5_000);
      const page = await scene.openAs(scene.operator, scene.boardPath);
      const reads: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/get-messages')) reads.push(request.postData() ?? '');
      });
      await scene.go(page, `/dialogs/${id}`);
      const { message, log } = partsOf(page);
      await message('Начало').waitFor();
      await page.locator('body[data-connection=online]').waitFor();
      expect(reads).toHaveLength(1);
      expect(await page.locator('article[data-message-id]').count()).toBeLessThan(40);

      await scene.says(phone, 'Видно сразу');
      await message('Видно сразу').waitFor();
      await page
        .locator('[data-announcement]', { hasText: 'Алия writes: Видно сразу' })
        .waitFor({ state: 'attached' });
      await ask(log, (element) => element.scrollBy(0, -900));
      await page.getByRole('button', { name: 'To the newest message' }).waitFor();
      await page.locator('[role=log][aria-busy=false]').waitFor();
      const place = await ask(log, (element) => element.scrollTop);
      await scene.says(phone, 'Ниже');
      const news = page.getByRole('button', { name: '1 new message' });
      await news.waitFor();
      expect(Math.abs((await ask(log, (element) => element.scrollTop)) - place)).toBeLessThan(2);
      await news.click();
      await message('Ниже').waitFor();

      // A place in the middle, and the line that is there.
      const readBefore = reads.length;
      await ask(log, (element) => (element.scrollTop = 600));
      await eventually(() => Promise.resolve(reads.length > readBefore), 10_000, 'no older page was read');
      const seen = page.locator('article[data-message-id]').nth(8);
      const text = (await seen.locator('div[dir=auto]').textContent()) ?? '';
      const before = await message(text).first().boundingBox();
      await page.locator('[role=log][aria-busy=false]').waitFor();
      const after = await message(text).first().boundingBox();
      expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
      expect(await page.locator('*').count()).toBeLessThan(2_000);
      scene.expectQuiet(page);
    },
  );

  inChromium('has its phone and its address copied, without https too, and only then says so', async () => {
    const { id, phone } = await scene.customer();
    const page = await scene.openDialog(id, WITH_CLIPBOARD);
    const { field } = partsOf(page);
    const pasted = async (): Promise<string> => {
      await field.fill('');
      await field.press('Control+V');
      return field.inputValue();
    };
    await page.getByRole('button', { name: `Copy the phone +${phone}` }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await pasted()).toBe(`+${phone}`);
    // As browsers have it on plain http.
    await page.evaluate('delete Navigator.prototype.clipboard');
    const link = page.getByRole('button', { name: 'Copy the link to this dialog' });
    const told = page.getByRole('status').getByText('The link was copied');
    await link.click();
    await told.waitFor();
    expect(await pasted()).toBe(`${scene.server.url}/dialogs/${id}`);
    await page.getByRole('status').getByRole('button', { name: 'Close' }).click();
    await told.waitFor({ state: 'detached' });
    await page.evaluate('document.execCommand = () => false');
    await link.click();
    await page.getByRole('alert').getByText('The browser did not allow copying.').waitFor();
    expect(await told.count()).toBe(0);
    scene.expectQuiet(page);
  });

  inChromium(
    'that asks for a person is told on any page, by one window of each, until somebody opens it',
    async () => {
      await scene.forgetDialogs();
      const { id, phone } = await scene.customer();
      const page = await scene.openAs(scene.operator, '/runs');
      await scene.debug(page);
      await page.context().addInitScript(RECORD_NOTIFICATIONS);
      const other = await scene.openBeside(page);
      for (const each of [page, other]) {
        await scene.go(each, '/runs');
        await each.locator('body[data-connection=online]').waitFor();
      }
      const notifyButton = (of: Page) =>
        of.getByRole('button', { name: 'Notify me when a person is needed' });
      await notifyButton(page).click();
      await other.locator('button[aria-pressed=true]').and(notifyButton(other)).waitFor();
      const shown = async (): Promise<string[]> =>
        (
          await Promise.all([page, other].map((each) => each.evaluate<string[]>('shownNotifications')))
        ).flat();

      const untilTitled = async (title: RegExp): Promise<void> => {
        for (const each of [page, other])
          await eventually(
            async () => title.test(await each.title()),
            AGREE_MS,
            'the title has another number',
          );
      };
      await scene.tell(scene.number.missedCall({ phone }));
      await untilTitled(/^\(1\) /);
      const icon = page.locator('link[rel=icon]');
      expect(await icon.getAttribute('href')).toMatch(/^data:image\/svg/);
      await eventually(async () => (await shown()).length > 0, 5_000, 'no notification was shown');
      expect(await shown()).toEqual(['Алия: The customer called, and nobody took the call']);

      const colleague = await scene.person({ name: 'Берик' });
      const headers = { Cookie: colleague.session.cookie, Origin: scene.server.url };
      const socket = await BoardClient.connect(scene.server.url, {}, { extraHeaders: headers });
      await socket.request('presence:set', { thread_id: id });
      await untilTitled(/^(?!\()/);
      expect(await shown()).toEqual([]);
      expect(await icon.getAttribute('href')).toMatch(/icon-[^/]+\.svg$/);
      socket.close();
      scene.expectAllQuiet();
    },
  );

  inChromium('an erased customer is gone from an open dialog, its board, and the browser', async () => {
    const { id } = await scene.customer('Секрет', 'Раушан');
    const page = await scene.openDialog(id);
    const { field, message } = partsOf(page);
    const card = page.locator(`[role=listitem][data-thread-id="${id}"]`);
    await message('Секрет').waitFor();
    await card.getByText('Секрет').waitFor();
    await page.locator(`[role=listitem][data-thread-id="${id}"]:not([data-unread])`).waitFor();
    const colleague = await scene.person({ name: 'Берик' });
    await colleague.session.call('leads/set-status', { thread_id: id, status_id: scene.account.stages[1] });
    await page.locator('[data-news=moves]').getByText('Раушан').waitFor({ state: 'attached' });
    await field.fill('Черновик для Раушан');
    const { body, text } = await scene.admin.call(`admin/threads/${id}/erase`, {});
    if (!body.ok) throw new Error(text);
    await page.getByText('This customer was erased. Nothing can be written any more.').waitFor();
    await message('Секрет').waitFor({ state: 'detached' });
    await message('The text was erased.').first().waitFor();
    await card.getByText('Erased customer').waitFor();
    const isLeft = async (): Promise<boolean> => /Секрет|Раушан/.test(await page.content());
    await eventually(async () => !(await isLeft()), 10_000, 'something of the customer was left');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Раушан');
    scene.expectQuiet(page);
  });

  inChromium(
    'when the 24 hours are over, templates stand in the place of the field, and go out once',
    async () => {
      const { id, phone } = await scene.customer('Здравствуйте', 'Алия');
      await scene.database.pool.query(
        `UPDATE threads SET last_inbound_at = last_inbound_at - interval '25 hours', waiting_at = waiting_at - interval '25 hours',
              replied_at = replied_at - interval '25 hours'
        WHERE id = $1`,
        [uuidOf(id)],
      );
      await scene.addTemplate('visit_reminder', 'Здравствуйте, *{{1}}*! Ждём вас {{2}}.');
      const page = await scene.openDialog(id);
      const { field, message } = partsOf(page);
      expect(await field.count()).toBe(0);
      await page.getByText('More than 24 hours have passed since the customer wrote.').waitFor();
      await page.getByRole('button', { name: 'Choose a template' }).click();
      const modal = page.getByRole('dialog');
      await modal.getByRole('button', { name: /visit_reminder/ }).click();
      await modal.getByRole('button', { name: 'Send the template' }).click();
      await modal.getByText('No value').nth(1).waitFor();
      const first = modal.getByRole('textbox', { name: 'Variable 1' });
      await first.fill('a lot     of blanks');
      await modal.getByText('Line breaks, tabs and long blanks cannot be sent').waitFor();
      await modal.getByRole('button', { name: 'Send the template' }).click();
      await first.and(page.locator(':focus')).waitFor();
      await first.fill('Алия');
      await modal.getByRole('textbox', { name: 'Variable 2' }).fill('завтра в 15:30');
      const preview = modal.locator('[data-preview]');
      await preview.getByText('Ждём вас завтра в 15:30.').waitFor();
      expect(await preview.locator('strong').textContent()).toBe('Алия');
      // The answer is lost; the same once more goes out once.
      await page.route(
        '**/api/v1/messages/send-template',
        async (route) => {
          await route.fetch();
          await route.abort('connectionreset');
        },
        { times: 1 },
      );
      await modal.getByRole('button', { name: 'Send the template' }).click();
      await modal.getByText('No answer came. Send it again: it does not go out twice.').waitFor();
      await modal.getByRole('button', { name: 'Send the template' }).click();
      await modal.waitFor({ state: 'detached' });
      // It may still be told when the next dialog is open.
      await page.getByRole('status').getByText('The template was sent to Алия.').waitFor();
      await message('Ждём вас завтра в 15:30.').waitFor();
      expect(scene.provider.sendsTo(`+${phone}`)).toHaveLength(1);
      expect(await page.locator('article[data-type=template]').count()).toBe(1);
      scene.expectQuiet(page, { outages: true });
    },
  );

  inChromium('keeps its last message in view, and nothing under a notice, on a phone and wide', async () => {
    const { id, phone } = await scene.customer('Раз', 'Болат');
    for (const text of ['Два', 'Три', 'Четыре', 'Пять', 'Шесть', 'Семь']) await scene.says(phone, text);
    const page = await scene.openDialog(id, { viewport: { width: 360, height: 740 } });
    const { field, log, message } = partsOf(page);
    await message('Семь').waitFor();
    await log.press('End');
    const untilSeen = (): Promise<boolean> =>
      eventually(
        async () => {
          const [last, frame] = [await message('Семь').boundingBox(), await log.boundingBox()];
          return last !== null && frame !== null && last.y + last.height <= frame.y + frame.height;
        },
        10_000,
        'the last message is out of view',
      );
    await untilSeen();
    await field.fill('1\n2\n3\n4\n5\n6');
    await eventually(
      async () => ((await field.boundingBox())?.height ?? 0) > 100,
      10_000,
      'the field has not grown',
    );
    await untilSeen();
    expect(await page.getByRole('button', { name: 'To the newest message' }).count()).toBe(0);

    await page.getByRole('button', { name: /^Stage:/ }).click();
    await page.getByRole('menuitemradio', { name: 'В работе' }).click();
    const notice = page.getByRole('status').getByText('Болат is in В работе now');
    for (const viewport of [
      { width: 360, height: 740 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      await notice.waitFor();
      for (const part of [
        ...[field, page.getByRole('button', { name: 'Attach a file' }), partsOf(page).switch],
        ...['Close the dialog', /^Stage:/, 'Rename'].map((name) => page.getByRole('button', { name })),
      ])
        await part.click({ trial: true, timeout: 3_000 });
    }
    scene.expectAllQuiet();
  });

  inChromium('has no fault that axe knows, wide and light, on a phone and dark', async () => {
    const { id, phone } = await scene.customer('Смотрите https://example.com', 'Алия');
    const { session } = scene.operator;
    await session.call('leads/set-status', { thread_id: id, status_id: scene.account.stages[0] });
    await session.call('messages/add-note', { thread_id: id, text: 'Заметка' });
    await session.call('messages/send-text', { thread_id: id, text: 'Ответ' });
    await scene.says(phone, 'Ещё');
    await scene.account.addMessage(id, {
      ...{ role: 'OPERATOR', status: 'unknown', text: 'Дошло?' },
      error: { code: 'PROVIDER_ERROR', message: 'It may have arrived.', provider_code: null },
    });
    const page = await scene.openDialog(id);
    await partsOf(page).message('Дошло?').waitFor();
    const look = { within: '[data-dialog-of]', tags: GOOD_PRACTICE };
    for (const { colorScheme, ...viewport } of [
      { colorScheme: 'light', width: 1440, height: 1000 },
      { colorScheme: 'dark', width: 360, height: 740 },
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await (IS_LONG ? axeFaultsOfThemes : axeFaults)(page, look)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    }
  });
});
