import type { Page } from 'playwright-core';
import { axeFaultsOfThemes, GOOD_PRACTICE } from '../support/clients/axe.checker';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { withEarlyFrames } from '../support/clients/early.frames';
import { WITH_CLIPBOARD } from '../support/clients/page.clipboard';
import { uuidOf } from '../support/database/thread.uuid';
import { eventually } from '../support/eventually';
import { partsOf, setDialogScene } from './dialog.scene';

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

const stageOf = async (id: string): Promise<string | null> => (await scene.kept.thread(id)).status_id;
const stageButton = (page: Page) => page.locator('[data-dialog-of] [data-stage-id]');

describe(`the people around a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'two windows of one person agree: messages, stage, switch, name and who looks after it',
    async () => {
      const { id } = await scene.customer();
      const page = await scene.openDialog(id);
      const other = await scene.openBeside(page);
      await scene.go(other, `/dialogs/${id}`);
      await other.locator('body[data-connection=online]').waitFor();
      await partsOf(other).field.waitFor();

      await partsOf(page).field.fill('Из первого окна');
      await partsOf(page).field.press('Enter');
      await partsOf(other).message('Из первого окна').waitFor({ timeout: AGREE_MS });
      await stageButton(page).click();
      await page.getByRole('menuitemradio', { name: 'В работе' }).click();
      await stageButton(other).getByText('В работе').waitFor({ timeout: AGREE_MS });
      await partsOf(page).switch.click();
      await partsOf(other).words.filter({ hasText: 'AI is off' }).waitFor({ timeout: AGREE_MS });
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Name of the customer' }).fill('Алия, оптом');
      await page.keyboard.press('Enter');
      await other.getByRole('heading', { name: 'Алия, оптом' }).waitFor({ timeout: AGREE_MS });
      // Whoever answers has it.
      await other.getByRole('button', { name: 'Assigned to Айгерим' }).waitFor({ timeout: AGREE_MS });
      await page.getByRole('button', { name: 'Assigned to Айгерим' }).click();
      await page.getByRole('menuitemradio', { name: 'Nobody' }).click();
      await other.getByRole('button', { name: 'Assigned to nobody' }).waitFor({ timeout: AGREE_MS });
      scene.expectAllQuiet();
    },
  );

  inChromiumAtLength('a move from the dialog can be undone, and tells who was quicker', async () => {
    const { id } = await scene.customer();
    const [first, second, third] = scene.account.stages;
    await scene.operator.session.call('leads/set-status', { thread_id: id, status_id: first });
    const page = await scene.openDialog(id);
    await stageButton(page).click();
    await page.locator('[role=menuitemradio][aria-checked=true]', { hasText: 'Новая' }).waitFor();
    await page.getByRole('menuitemradio', { name: 'В работе' }).click();
    await page.getByRole('status').getByText('is in В работе now').waitFor();
    expect(await stageOf(id)).toBe(second);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('is back in Новая').waitFor();
    expect(await stageOf(id)).toBe(first);

    const colleague = await scene.person({ name: 'Берик' });
    await stageButton(page).click();
    const choice = page.getByRole('menuitemradio', { name: 'В работе' });
    await choice.waitFor();
    await page.route(
      '**/api/v1/leads/set-status',
      async (route) => {
        await colleague.session.call('leads/set-status', { thread_id: id, status_id: third });
        await route.continue();
      },
      { times: 1 },
    );
    await choice.click();
    await page
      .getByRole('alert')
      .getByText(/^Берик has moved .+ to Оплачено meanwhile\.$/)
      .waitFor();
    expect(await stageOf(id)).toBe(third);
    await page.getByRole('button', { name: 'Move all the same' }).click();
    await stageButton(page).getByText('В работе').waitFor();
    await eventually(async () => (await stageOf(id)) === second, 5_000, 'it was not moved');
    scene.expectQuiet(page, { refusals: true });
  });

  inChromiumAtLength('a move from the dialog answers the waiting message where that is ticked', async () => {
    const { id } = await scene.customer();
    const [first, second] = scene.account.stages;
    await scene.operator.session.call('leads/set-status', { thread_id: id, status_id: first });
    const page = await scene.openDialog(id);
    const tick = page.getByRole('menuitemcheckbox', { name: 'Answer the waiting message' });
    const choose = async (stage: string): Promise<unknown> => {
      const [request] = await Promise.all([
        page.waitForRequest('**/leads/set-status'),
        page.getByRole('menuitemradio', { name: stage }).click(),
      ]);
      return request.postDataJSON();
    };
    await stageButton(page).click();
    await tick.click();
    const move = { thread_id: id, status_id: second, expected_status_id: first };
    expect(await choose('В работе')).toEqual({ ...move, answer_pending_message: true });
    await page.getByRole('status').getByText('is in В работе now').waitFor();
    expect(await stageOf(id)).toBe(second);
    await stageButton(page).click();
    expect(await tick.getAttribute('aria-checked')).toBe('false');
    expect(await choose('Новая')).toEqual({ ...move, status_id: first, expected_status_id: second });
    await page.getByRole('status').getByText('is in Новая now').waitFor();

    // Where it stands, too.
    await stageButton(page).click();
    await tick.click();
    expect(await choose('Новая')).toEqual({ ...move, status_id: first, answer_pending_message: true });
    await page
      .getByRole('status')
      .getByText('The AI cannot answer the waiting message of Алия now.')
      .waitFor();
    scene.expectQuiet(page);
  });

  inChromium(
    'its phone and its address are copied, without https too, and only then it says so',
    async () => {
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
    },
  );

  inChromiumAtLength('renaming gives the focus back to its button', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    await withEarlyFrames(page);
    const rename = page.getByRole('button', { name: 'Rename' });
    await rename.press('Enter');
    await page.getByRole('textbox', { name: 'Name of the customer' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await rename.and(page.locator(':focus')).waitFor();
    scene.expectQuiet(page);
  });

  inChromiumAtLength('shows who else looks and types', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    const colleague = await scene.person({ name: 'Берик' });
    const other = await scene.openDialog(id, { person: colleague });
    await page.locator('[data-presence]', { hasText: 'Берик looks at this too' }).waitFor();
    await partsOf(other).field.fill('пишу');
    await page.locator('[data-presence]', { hasText: 'Берик is typing …' }).waitFor();
    await other.close();
    await page.locator('[data-presence]').waitFor({ state: 'detached' });
  });

  inChromiumAtLength('says why a person is asked for, until one has seen to it', async () => {
    const { id } = await scene.customer();
    await scene.kept.setFacts(
      id,
      `attention = 'model', attention_note = 'no answer within a minute', attention_since = clock_timestamp()`,
    );
    const page = await scene.openDialog(id);
    const bar = page.locator('[data-dialog-of] [data-attention=model]');
    await bar.getByText('The model failed').waitFor();
    await bar.getByText('no answer within a minute').waitFor();
    await bar.getByRole('button', { name: 'Done' }).click();
    await bar.waitFor({ state: 'detached' });
    await partsOf(page).happened('A person saw to it · Айгерим').waitFor();
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

      await scene.openDialog(id, { person: await scene.person({ name: 'Берик' }) });
      await untilTitled(/^(?!\()/);
      expect(await shown()).toEqual([]);
      expect(await icon.getAttribute('href')).toMatch(/icon-[^/]+\.svg$/);
      scene.expectAllQuiet();
    },
  );

  inChromiumAtLength(
    'a dialog that is not there, or another account’s, says so, and leads back',
    async () => {
      const { id } = await scene.customer();
      const limited = await scene.person({ name: 'Без агентов', assistant_ids: [] });
      for (const [person, address] of [
        [scene.operator, 'thread_01930000-0000-7000-8005-00000000ffff'],
        [limited, id],
      ] as const) {
        const page = await scene.openAs(person, `/dialogs/${address}`);
        await page.getByRole('alert').getByText('There is no such dialog, or it is not yours.').waitFor();
        await page.getByRole('button', { name: 'To the board' }).click();
        await page.waitForURL((address) => !address.pathname.startsWith('/dialogs'));
        scene.expectQuiet(page, { refusals: true });
      }
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

  inChromiumAtLength('after an outage it equals the database, without a reload', async () => {
    const { id, phone } = await scene.customer();
    const page = await scene.openDialog(id);
    await page.context().setOffline(true);
    await page.locator('body[data-connection=offline]').waitFor();
    await scene.says(phone, 'Пока вас не было');
    await scene.operator.session.call('leads/set-ai', { thread_id: id, ai_enabled: false });
    await page.context().setOffline(false);
    await partsOf(page).message('Пока вас не было').waitFor();
    await partsOf(page).words.filter({ hasText: 'AI is off until switched on' }).waitFor();
    await partsOf(page).happened('AI was switched off').waitFor();
    expect(await page.locator('article', { hasText: 'Пока вас не было' }).count()).toBe(1);
    scene.expectQuiet(page, { outages: true });
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
      await addTemplate('visit_reminder', 'Здравствуйте, *{{1}}*! Ждём вас {{2}}.');
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

  inChromiumAtLength(
    'templates open with the focus in their search, and give it back, each time',
    async () => {
      const { id } = await scene.customer();
      await addTemplate('order_ready', 'Здравствуйте, {{1}}! Заказ готов {{2}}.');
      const page = await scene.openDialog(id);
      for (let time = 1; time <= 2; time += 1) {
        await page.getByRole('button', { name: 'Templates' }).click();
        await page.getByRole('searchbox', { name: 'Find a template' }).and(page.locator(':focus')).waitFor();
        await page.keyboard.press('Tab');
        await page
          .getByRole('button', { name: /^order_ready/ })
          .and(page.locator(':focus'))
          .waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Templates' }).and(page.locator(':focus')).waitFor();
      }
      scene.expectQuiet(page);
    },
  );

  inChromium('has no fault that axe knows, in either theme, on a phone too', async () => {
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
    for (const viewport of [
      { width: 1440, height: 1000 },
      { width: 360, height: 740 },
    ]) {
      await page.setViewportSize(viewport);
      expect(await axeFaultsOfThemes(page, { within: '[data-dialog-of]', tags: GOOD_PRACTICE })).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    }
  });
});

async function addTemplate(name: string, body: string): Promise<void> {
  const made = await scene.admin.call('admin/templates', {
    ...{
      bot_id: scene.account.botId,
      channel: 'waba_coexistence',
      name,
      language: 'ru',
      category: 'utility',
    },
    ...{ body, examples: { body: ['Алия', 'завтра'] } },
  });
  if (!made.body.ok) throw new Error(made.text);
  await scene.database.pool.query(`UPDATE templates SET status = 'approved' WHERE name = $1`, [name]);
}
