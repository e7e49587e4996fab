import type { Locator, Page } from 'playwright-core';
import { axeFaults } from '../support/clients/axe.checker';
import { CHROMIUM_NEEDED, inChromium, inChromiumAtLength } from '../support/clients/chromium.browser';
import { uuidOf } from '../support/database/thread.uuid';
import { eventually } from '../support/eventually';
import { PASSWORD } from '../support/clients/session.client';
import { refuse } from '../support/stand-ins/scripted.provider';
import { ask, partsOf, setDialogScene } from './dialog.scene';

const scene = setDialogScene();
const SEND_TEXT = '**/api/v1/messages/send-text';

const draftOf = (page: Page, id: string): Promise<string | null> =>
  page.evaluate(`localStorage.getItem('leadline.draft.${id}')`);
const untilFocused = (field: Locator): Promise<void> => field.and(field.page().locator(':focus')).waitFor();
const sent = (phone: string): string[] =>
  scene.provider.sendsTo(phone).map(({ body }) => (body.text as { body: string }).body);
async function unreadOf(id: string): Promise<number | undefined> {
  const { rows } = await scene.database.pool.query<{ unread_count: number }>(
    'SELECT unread_count FROM threads WHERE id = $1',
    [uuidOf(id)],
  );
  return rows[0]?.unread_count;
}

describe(`writing in a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'marks as read what is seen; Enter sends at once, and ticks tell sent, delivered, read',
    async () => {
      const { id, phone } = await scene.customer('Непрочитанное');
      expect(await unreadOf(id)).toBe(1);
      const page = await scene.openDialog(id);
      const { field, message } = partsOf(page);
      await page.getByText('Unread', { exact: true }).waitFor();
      await eventually(async () => (await unreadOf(id)) === 0, 10_000, 'it is not marked as read');
      await field.fill('Первая');
      await field.press('Shift+Enter');
      await page.keyboard.type('вторая');
      expect(await field.inputValue()).toBe('Первая\nвторая');
      // The answer waits, so that what is shown is not yet what was answered.
      const held = Promise.withResolvers<void>();
      await page.route(SEND_TEXT, async (route) => {
        await held.promise;
        await route.continue();
      });
      await field.press('Enter');
      const own = page.locator('article[data-sending]', { hasText: 'Первая' });
      await own.waitFor();
      expect(await field.inputValue()).toBe('');
      expect(await draftOf(page, id)).toBeNull();
      await ask(own, (article) => (article.parentElement.dataset.seen = 'yes'));
      held.resolve();
      await message('Первая').and(page.locator('[data-status=sent]')).waitFor();
      expect(await page.locator('[data-seen=yes] article[data-message-id]').count()).toBe(1);
      expect(await page.locator('article[data-sending]').count()).toBe(0);
      expect(sent(`+${phone}`)).toEqual(['Первая\nвторая']);
      const { rows } = await scene.database.pool.query<{ provider_id: string }>(
        `SELECT provider_id FROM messages WHERE thread_id = $1 AND role = 'OPERATOR'`,
        [uuidOf(id)],
      );
      for (const status of ['delivered', 'read']) {
        await scene.tell(scene.number.status(rows[0]?.provider_id ?? '', status, { recipient_id: phone }));
        await message('Первая')
          .and(page.locator(`[data-status=${status}]`))
          .getByText(status, { exact: true })
          .waitFor();
      }
      scene.expectQuiet(page);
    },
  );

  inChromiumAtLength('Enter of an input method sends nothing', async () => {
    const { id, phone } = await scene.customer();
    const page = await scene.openDialog(id);
    const { field, send } = partsOf(page);
    await field.fill('にほん');
    const enter = (how: object): Promise<void> =>
      field.dispatchEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how });
    await enter({ isComposing: true });
    // Safari: the composition is over by then, and the code tells.
    await enter({ keyCode: 229 });
    expect(await field.inputValue()).toBe('にほん');
    await send.click();
    await partsOf(page).message('にほん').waitFor();
    expect(sent(`+${phone}`)).toEqual(['にほん']);
  });

  inChromiumAtLength('Escape of an input method leaves the name that one types', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    await page.getByRole('button', { name: 'Rename' }).click();
    const name = page.getByRole('textbox', { name: 'Name of the customer' });
    await name.fill('にほん');
    const escape = (how: object): Promise<void> =>
      name.dispatchEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...how });
    await escape({ isComposing: true });
    expect(await name.inputValue()).toBe('にほん');
    await escape({});
    await name.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Dialog with Алия' }).waitFor();
    scene.expectQuiet(page);
  });

  inChromium(
    'what is typed is kept for its dialog over reloads and in another tab, and goes when it is sent',
    async () => {
      const [one, other] = [await scene.customer('Раз', 'Алия'), await scene.customer('Два', 'Болат')];
      const page = await scene.openDialog(one.id);
      const { field } = partsOf(page);
      await field.fill('Черновик');
      await scene.go(page, `/dialogs/${other.id}`);
      await page.locator(`[data-dialog-of="${other.id}"]`).waitFor();
      expect(await field.inputValue()).toBe('');
      await page.getByText('Message to Болат').waitFor();
      await scene.go(page, `/dialogs/${one.id}`);
      await field.waitFor();
      expect(await field.inputValue()).toBe('Черновик');
      await page.reload();
      await field.waitFor();
      expect(await field.inputValue()).toBe('Черновик');
      const second = await scene.openBeside(page);
      await scene.go(second, `/dialogs/${one.id}`);
      const secondField = partsOf(second).field;
      await secondField.waitFor();
      expect(await secondField.inputValue()).toBe('Черновик');
      await field.fill('Черновик, дальше');
      await eventually(
        async () => (await secondField.inputValue()) === 'Черновик, дальше',
        5_000,
        'the other tab does not know it',
      );
      await field.press('Enter');
      await eventually(
        async () => (await secondField.inputValue()) === '',
        5_000,
        'it is still in the other tab',
      );
      await partsOf(second).message('Черновик, дальше').waitFor();
      expect(await draftOf(page, one.id)).toBeNull();
      scene.expectAllQuiet();
    },
  );

  inChromium('a lost answer sends nothing twice: the message is found, and shown once', async () => {
    const { id, phone } = await scene.customer();
    const page = await scene.openDialog(id);
    const { field, message } = partsOf(page);
    await page.route(SEND_TEXT, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await field.fill('Один раз');
    await field.press('Enter');
    await message('Один раз').and(page.locator('[data-status=sent]')).waitFor();
    await page.locator('article[data-sending]').waitFor({ state: 'detached' });
    expect(await page.locator('article', { hasText: 'Один раз' }).count()).toBe(1);
    expect(sent(`+${phone}`)).toEqual(['Один раз']);
    expect(await field.inputValue()).toBe('');
    scene.expectQuiet(page, { outages: true });
  });

  inChromiumAtLength(
    'a call that never came to the service gives the text back, and sends nothing by itself',
    async () => {
      const { id, phone } = await scene.customer();
      const page = await scene.openDialog(id);
      const { field } = partsOf(page);
      await page.route(SEND_TEXT, (route) => route.abort('connectionrefused'));
      await field.fill('Не ушло');
      await field.press('Enter');
      await page
        .getByRole('alert')
        .getByText('The message was not sent. Its text is in the field again.')
        .waitFor();
      expect(await field.inputValue()).toBe('Не ушло');
      expect(await draftOf(page, id)).toBe('Не ушло');
      expect(sent(`+${phone}`)).toEqual([]);
      expect(await page.locator('article', { hasText: 'Не ушло' }).count()).toBe(0);
    },
  );

  inChromiumAtLength(
    'a refusal of the messenger shows its reason and what helps, and what was typed since stays',
    async () => {
      const { id, phone } = await scene.customer();
      scene.provider.on(`+${phone}`, refuse(400, 131047));
      const page = await scene.openDialog(id);
      const { field, message } = partsOf(page);
      await page.route(SEND_TEXT, async (route) => {
        const response = await route.fetch();
        await field.fill('Уже пишу дальше');
        await route.fulfill({ response });
      });
      await field.fill('Поздно');
      await field.press('Enter');
      const failed = message('Поздно').and(page.locator('[data-status=failed]'));
      await failed.waitFor();
      await failed
        .getByText('More than 24 hours have passed since the customer wrote: send a template.')
        .waitFor();
      await page.getByRole('alert').getByText('The message was not sent.').waitFor();
      expect(await field.inputValue()).toBe('Уже пишу дальше');
      scene.expectQuiet(page, { refusals: true });
    },
  );

  inChromiumAtLength('an unknown outcome is settled by the person', async () => {
    const { id, phone } = await scene.customer();
    scene.provider.on(`+${phone}`, (response) => void response.destroy());
    const page = await scene.openDialog(id);
    const { field, message } = partsOf(page);
    await field.fill('Дошло ли?');
    await field.press('Enter');
    const unknown = message('Дошло ли?').and(page.locator('[data-status=unknown]'));
    await unknown.getByRole('button', { name: 'It arrived' }).press('Enter');
    await message('Дошло ли?').and(page.locator('[data-status=sent]')).waitFor();
    // The buttons have gone, and the focus is where they stood.
    await untilFocused(partsOf(page).log);
    // It may have gone out, so it is not offered to be sent once more.
    expect(await field.inputValue()).toBe('');
  });

  inChromiumAtLength('without a connection typing goes on and is kept', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    const { field, message } = partsOf(page);
    await page.context().setOffline(true);
    await page.locator('body[data-connection=offline]').waitFor();
    await field.fill('Без сети');
    expect(await draftOf(page, id)).toBe('Без сети');
    await page.context().setOffline(false);
    await page.locator('body[data-connection=online]').waitFor();
    expect(await field.inputValue()).toBe('Без сети');
    await field.press('Enter');
    await message('Без сети').waitFor();
    scene.expectQuiet(page, { outages: true });
  });

  inChromium(
    'a session that ends in the middle loses nothing: it is signed in over the page, and sent',
    async () => {
      const { id, phone } = await scene.customer();
      const person = await scene.person({ name: 'Марат' });
      const page = await scene.openDialog(id, { person });
      const { field, message } = partsOf(page);
      await field.fill('Не потеряется');
      await person.session.call('auth/sign-out', {});
      await field.press('Enter');
      const password = page.locator('input[type=password]');
      await password.waitFor();
      // It is asked for as soon as the connection tells that the session has ended, which may be before the answer does.
      await eventually(
        async () => (await draftOf(page, id)) === 'Не потеряется',
        5_000,
        'what was typed is not kept',
      );
      const ended = page.getByRole('dialog', { name: 'Your session has ended' });
      expect(await ended.getByLabel('E-mail').inputValue()).toBe(person.email);
      expect(await axeFaults(page, { within: '[role=dialog]' })).toEqual([]);
      await password.fill(PASSWORD);
      await password.press('Enter');
      await password.waitFor({ state: 'detached' });
      expect(await field.inputValue()).toBe('Не потеряется');
      await field.press('Enter');
      await message('Не потеряется').waitFor();
      expect(sent(`+${phone}`)).toEqual(['Не потеряется']);
    },
  );

  inChromiumAtLength('a note is for colleagues, and goes to no customer', async () => {
    const { id, phone } = await scene.customer();
    const page = await scene.openDialog(id);
    await page.getByText('Note', { exact: true }).click();
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Клиент спешит');
    await note.press('Enter');
    await page.locator('article[data-type=note]', { hasText: 'Клиент спешит' }).waitFor();
    expect(sent(`+${phone}`)).toEqual([]);
    await page.getByText('To the customer', { exact: true }).click();
    expect(await partsOf(page).field.inputValue()).toBe('');
  });

  inChromiumAtLength(
    'R goes to the field; Escape leaves a typed text, and closes an empty dialog',
    async () => {
      const { id } = await scene.customer();
      const page = await scene.openDialog(id);
      const { field, log } = partsOf(page);
      await log.focus();
      await page.keyboard.press('KeyR');
      await untilFocused(field);
      expect(await field.inputValue()).toBe('');
      await page.keyboard.type('ещё думаю');
      await page.keyboard.press('Escape');
      expect(await field.and(page.locator(':focus')).count()).toBe(0);
      await field.waitFor();
      await field.fill('');
      await page.keyboard.press('Escape');
      await page.waitForURL((address) => address.pathname === scene.boardPath);
      expect(await page.locator('[data-dialog-of]').count()).toBe(0);
    },
  );

  inChromiumAtLength('the button sends, and leaves the field ready for the next message', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    const { field, message, send } = partsOf(page);
    await field.fill('Первое');
    await send.click();
    await message('Первое').waitFor();
    await untilFocused(field);
    await field.fill('Второе');
    await send.press('Enter');
    await message('Второе').waitFor();
    await untilFocused(field);
  });

  inChromiumAtLength('who chooses a note by pointer writes it at once', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    await page.getByText('Note', { exact: true }).click();
    await untilFocused(page.getByRole('textbox', { name: 'Note' }));
  });

  inChromiumAtLength('Escape leads from a draft to the messages, and from there to the card', async () => {
    const { id } = await scene.customer();
    const page = await scene.openDialog(id);
    const { field, log } = partsOf(page);
    await field.fill('Черновик');
    await field.press('Escape');
    await log.and(page.locator(':focus-visible')).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(`[role=listitem][data-thread-id="${id}"]:focus`).waitFor();
    expect(await draftOf(page, id)).toBe('Черновик');
  });
});
