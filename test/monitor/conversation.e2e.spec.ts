import type { Page } from 'playwright-core';
import type { LedgerEntry } from '../../apps/sandbox/src/ledger.buffer';
import { BoardWindow } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { extend } from '../support/scenes/base.scene';
import { sceneOf } from '../support/scenes/scene.opening';
import { makeProviderSettingsScene, SENDER } from '../support/scenes/settings.scene';
import { ModelScript } from '../support/stand-ins/model.script';
import { partsOf } from './dialog.scene';

const PHONE = '+77015557001';
const OFF = 'AI is off until switched on';

/** The phone of a customer, by the sandbox's page. */
const handsetOf = (page: Page) => ({
  async write(text: string): Promise<void> {
    await page.getByLabel('Message to the business').fill(text);
    await page.keyboard.press('Enter');
    await page.locator('.own .words', { hasText: text }).waitFor();
  },

  /** Until the business has said it. */
  hears: (text: string): Promise<void> =>
    page.locator('.message:not(.own) .words', { hasText: text }).waitFor(),

  /** All that the business has said, the oldest first. */
  heard: (): Promise<string[]> => page.locator('.message:not(.own) .words').allTextContents(),
});

/** The monitor of an account whose number and model are at one sandbox, with the phones of its customers. */
function makeConversationScene() {
  let model: ModelScript;

  const scene = extend(makeProviderSettingsScene(), {
    get model(): ModelScript {
      return model;
    },

    /** @param phone in international form */
    async openHandset(phone: string): Promise<ReturnType<typeof handsetOf>> {
      const { url } = scene.sandbox;
      const page = await scene.open({}, url);
      await page.goto(`${url}/handset?sender=${SENDER}&phone=${phone.slice(1)}`);
      return handsetOf(page);
    },

    /** The texts that the messenger was asked to send to a phone, the oldest first. */
    async sentTo(phone: string): Promise<(string | null)[]> {
      const query = new URLSearchParams({ phone });
      const answer = await fetch(`${scene.sandbox.url}/sandbox/ledger?${query.toString()}`);
      const entries = (await answer.json()) as LedgerEntry[];
      return entries.filter(({ type }) => type !== 'read' && type !== 'typing').map(({ text }) => text);
    },
  });

  scene.withStandIns(() => {
    model = new ModelScript(scene.sandbox.url);
    return Promise.resolve(model.environment);
  });
  return scene;
}

const scene = sceneOf(makeConversationScene).set();

describe(`a conversation between a handset and a dialog (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'goes on live on both; an agent that is switched off in the middle falls silent, until it is switched on',
    async () => {
      const board = new BoardWindow(await scene.openAs(await scene.person(), scene.boardPath));
      const { page } = board;
      await board.untilOnline();
      const dialog = partsOf(page);
      const handset = await scene.openHandset(PHONE);

      await scene.model.reply({ when: 'капучино', text: 'Капучино стоит 1200 ₸.' });
      await handset.write('Сколько стоит капучино?');
      await page.getByRole('listitem').filter({ hasText: 'капучино' }).click();
      await dialog.message('Сколько стоит капучино?').waitFor();
      await dialog.message('Капучино стоит 1200 ₸.').waitFor();
      await handset.hears('Капучино стоит 1200 ₸.');

      await scene.model.reply({ when: 'доставка', text: 'Доставим сегодня.', hold: 'middle' });
      await handset.write('А доставка есть?');
      await scene.model.held('доставка');
      await dialog.switch.click();
      await dialog.words.filter({ hasText: OFF }).waitFor();
      await scene.model.release();
      await dialog.happened('A reply of AI was discarded').waitFor();

      // Nothing of this is answered: what is said by hand, and later on, stands next to what was said before.
      await handset.write('Вы ещё здесь?');
      await dialog.message('Вы ещё здесь?').waitFor();
      await dialog.field.fill('Да, это Айгерим. Доставим завтра.');
      await dialog.field.press('Enter');
      await handset.hears('Да, это Айгерим.');
      await handset.write('Пришлёте чек?');
      await dialog.message('Пришлёте чек?').waitFor();
      expect(await dialog.words.textContent()).toBe(OFF);

      await scene.model.reply({ when: 'чек', text: 'Чек пришлём на почту.' });
      await dialog.switch.click();
      await handset.hears('Чек пришлём на почту.');
      await dialog.message('Чек пришлём на почту.').waitFor();
      await dialog.words.filter({ hasText: /^AI answers$/ }).waitFor();

      const said = ['Капучино стоит 1200 ₸.', 'Да, это Айгерим. Доставим завтра.', 'Чек пришлём на почту.'];
      expect(await scene.sentTo(PHONE)).toEqual(said);
      expect(await handset.heard()).toEqual(said);
      expect(await scene.model.requests()).toHaveLength(said.length);
      scene.expectAllQuiet();
    },
  );
});
