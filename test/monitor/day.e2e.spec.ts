import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually';
import { BoardWindow } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { KeyboardWalker } from '../support/clients/keyboard.walker';
import type { MonitorPerson } from '../support/scenes/monitor.scene';
import { uuidOf } from '../support/database/thread.uuid';
import { PASSWORD } from '../support/clients/session.client';
import { partsOf, setDialogScene } from './dialog.scene';

const NAME = 'Алия';
const ANSWER = 'Да, доставим бесплатно.';
const NOTE = 'Просит до обеда.';

const scene = setDialogScene({
  stages: [{ name: 'Новая' }, { name: 'В работе' }, { name: 'Оплачено', kind: 'success' }],
});

let person: MonitorPerson;
/** Of this customer a person is asked for, too. */
let lead: { id: string; phone: string };

beforeAll(async () => {
  const made = await scene.admin.call('admin/templates', {
    ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', name: 'visit_reminder', language: 'ru' },
    ...{ category: 'utility', body: 'Ждём вас, {{1}}.', examples: { body: ['Алия'] } },
  });
  if (!made.body.ok) throw new Error(made.text);
  await scene.database.pool.query(`UPDATE templates SET status = 'approved'`);
});

beforeEach(async () => {
  await scene.forgetDialogs();
  person = await scene.person({ name: 'Берик' });
  await scene.customer('Здравствуйте', 'Болат');
  lead = await scene.customer('Есть доставка?', NAME);
  await scene.api.setStatus({ thread_id: lead.id, status_id: scene.stage(0) });
  await scene.kept.setFacts(
    lead.id,
    `attention = 'hand_over', attention_note = 'просит человека', attention_since = clock_timestamp()`,
  );
  // What has come in can be found a second or two later.
  await eventually(
    async () => ((await scene.api.getThreads({ search: NAME })).body.data.threads as unknown[]).length === 1,
    10_000,
    'the lead cannot be found',
  );
});

/** What the walk leads by, as far as it is the same for both. */
const placesOf = (page: Page) => ({
  ...partsOf(page),
  search: page.getByRole('searchbox', { name: /^Search by name/ }),
  card: new BoardWindow(page).card(lead.id),
  inWork: new BoardWindow(page).cardIn(scene.stage(1), lead.id),
  inNew: new BoardWindow(page).cardIn(scene.stage(0), lead.id),
  undo: page.getByRole('button', { name: 'Undo' }),
  note: page.getByRole('textbox', { name: 'Note' }),
  templates: page.getByRole('button', { name: 'Templates' }),
  template: page.getByRole('dialog').getByRole('button', { name: /visit_reminder/ }),
  variable: page.getByRole('textbox', { name: 'Variable 1' }),
  sendTemplate: page.getByRole('button', { name: 'Send the template' }),
  attention: page.locator('[data-dialog-of] [data-attention]'),
  done: page.getByRole('button', { name: 'Done' }),
  unassigned: page.getByRole('button', { name: 'Assigned to nobody' }),
  assigned: page.getByRole('button', { name: 'Assigned to Берик' }),
  account: page.getByRole('button', { name: 'Берик, your account' }),
});

/** A busy machine needs more than the ten seconds for which a move can be undone to tab to its notice. */
const LONG_NOTICES = `(() => {
  const later = window.setTimeout;
  window.setTimeout = (act, ms, ...given) => later(act, ms === 10_000 ? 60_000 : ms, ...given);
})()`;

/** All that the day was to bring about. */
async function expectDone(page: Page): Promise<void> {
  const texts = scene.provider.sendsTo(`+${lead.phone}`).map(({ body }) => body);
  expect(texts).toMatchObject([{ text: { body: ANSWER } }, { template: { name: 'visit_reminder' } }]);
  const { rows } = await scene.database.pool.query<object>(
    'SELECT status_id, ai_enabled, attention, unread_count, assignee_id FROM threads WHERE id = $1',
    [uuidOf(lead.id)],
  );
  expect(rows).toEqual([
    {
      status_id: scene.stage(0),
      ...{ ai_enabled: true, attention: null, unread_count: 0, assignee_id: person.session.userId },
    },
  ]);
  await page.getByLabel('Почта').waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  scene.expectQuiet(page);
}

describe(`the tasks of a day (${CHROMIUM_NEEDED})`, () => {
  inChromium('are all done by keyboard alone, and one always sees where the focus is', async () => {
    const page = await scene.open({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.addInitScript(LONG_NOTICES);
    const at = placesOf(page);
    const keys = new KeyboardWalker(page);
    await scene.go(page, '/');

    await keys.isAt(page.getByLabel('E-mail'));
    await keys.type(person.email);
    await keys.press('Tab');
    await keys.type(PASSWORD);
    await keys.press('Enter');
    await new BoardWindow(page).untilOnline();

    await keys.press('Slash');
    await keys.isAt(at.search);
    await keys.type(NAME);
    // Before anything is found.
    await keys.press('Enter');
    await keys.isAt(at.inNew);

    const move = async (): Promise<void> => {
      await keys.press('KeyM');
      await keys.isAt(page.getByRole('menuitemradio', { name: 'Новая' }));
      await keys.press('ArrowDown', 'Enter');
      await keys.isAt(at.inWork);
      await at.undo.waitFor();
    };
    await move();
    await keys.press('Control+KeyZ');
    await keys.isAt(at.inNew);
    await move();
    await keys.to(at.undo);
    await keys.press('Enter');
    await at.inNew.waitFor();
    // The notice has gone, and the card from which one went to it stands elsewhere now.
    await keys.isAt(at.inNew);

    await keys.press('Enter');
    await at.attention.waitFor();
    await keys.to(at.done);
    await keys.press('Enter');
    await at.attention.waitFor({ state: 'detached' });
    await keys.isAt(at.switch);

    await keys.press('KeyR');
    await keys.isAt(at.field);
    await keys.type(ANSWER);
    await keys.press('Enter');
    await at.message(ANSWER).and(page.locator('[data-status=sent]')).waitFor();
    await keys.isAt(at.field);

    await keys.to(at.templates);
    await keys.press('Enter');
    await keys.isAt(page.getByRole('searchbox', { name: 'Find a template' }));
    await keys.to(at.template);
    await keys.press('Enter');
    await keys.isAt(at.variable);
    await keys.type(NAME);
    await keys.to(at.sendTemplate);
    await keys.press('Enter');
    await at.message('Ждём вас, Алия.').waitFor();
    await keys.isAt(at.templates);

    await keys.to(page.getByRole('radio', { name: 'To the customer' }), 'Shift+Tab');
    await keys.press('ArrowRight');
    await keys.to(at.note);
    await keys.type(NOTE);
    await keys.press('Enter');
    await at.message(NOTE).waitFor();
    await keys.isAt(at.note);

    await keys.to(page.getByRole('button', { name: 'Return to AI now' }), 'Shift+Tab');
    await keys.press('Enter');
    await at.words.filter({ hasText: /^AI answers$/ }).waitFor();
    await keys.isAt(at.switch);
    await keys.press('Space');
    await at.words.filter({ hasText: 'AI is off until switched on' }).waitFor();
    await keys.press('KeyA');
    await at.words.filter({ hasText: /^AI answers$/ }).waitFor();
    await keys.isAt(at.switch);

    // Whoever answers has it.
    await keys.to(at.assigned, 'Shift+Tab');
    await keys.press('Enter');
    await keys.isAt(page.getByRole('menuitemradio', { name: 'Me' }));
    await keys.press('ArrowDown');
    await keys.press('Enter');
    await keys.isAt(at.unassigned);
    await keys.press('Enter');
    await keys.isAt(page.getByRole('menuitemradio', { name: 'Nobody' }));
    await keys.press('ArrowUp');
    await keys.isAt(page.getByRole('menuitemradio', { name: 'Me' }));
    await keys.press('Enter');
    await keys.isAt(at.assigned);

    await keys.press('Escape');
    await at.log.waitFor({ state: 'detached' });
    await keys.isAt(at.card);

    for (const name of ['Figures', 'Scenario runs', 'Settings']) {
      const link = page.getByRole('link', { name, exact: true });
      await keys.to(link, name === 'Figures' ? 'Shift+Tab' : 'Tab');
      await keys.press('Enter');
      await page.getByRole('main').getByRole('heading').first().waitFor();
      await keys.isAt(link.and(page.locator('[aria-current=page]')));
    }

    await keys.to(at.account);
    await keys.press('Enter');
    await keys.isAt(page.getByRole('radio', { name: 'English' }));
    await keys.press('ArrowRight');
    await page.locator('html[lang=ru]').waitFor();
    await keys.isAt(page.getByRole('radio', { name: 'Русский' }));
    await keys.to(page.getByRole('radio', { name: 'Как в системе' }));
    await keys.press('ArrowLeft');
    await keys.isAt(page.getByRole('radio', { name: 'Тёмная' }));
    await keys.press('ArrowDown');
    await keys.isAt(page.getByRole('menuitemcheckbox', { name: 'Быстрые клавиши' }));
    await keys.press('ArrowUp');
    await keys.isAt(page.getByRole('menuitem', { name: 'Выйти' }));
    await keys.press('Enter');
    await keys.isAt(page.getByLabel('Почта'));
    expect(keys.unseen).toEqual([]);
    await expectDone(page);
  });

  inChromium('are all done by taps alone, with nothing dragged, on a phone', async () => {
    const page = await scene.open({
      ...{ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } },
      ...{ reducedMotion: 'reduce', colorScheme: 'light' },
    });
    await page.addInitScript(LONG_NOTICES);
    const at = placesOf(page);
    await scene.go(page, '/');

    await page.getByLabel('E-mail').tap();
    await page.keyboard.type(person.email);
    await page.getByRole('textbox', { name: 'Password' }).tap();
    await page.keyboard.type(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).tap();
    await new BoardWindow(page).untilOnline();
    await page.getByRole('button', { name: 'Close these hints' }).tap();

    await at.search.tap();
    await page.keyboard.type(NAME);
    await at.inNew.getByRole('button', { name: /^Move/ }).tap();
    await page.getByRole('menuitemradio', { name: 'В работе' }).tap();
    await at.undo.tap();
    await at.inNew.waitFor();
    await page.getByRole('button', { name: 'Close' }).first().tap();

    await at.card.getByRole('link').tap();
    await at.done.tap();
    await at.attention.waitFor({ state: 'detached' });
    await at.field.tap();
    await page.keyboard.type(ANSWER);
    await at.send.tap();
    await at.message(ANSWER).and(page.locator('[data-status=sent]')).waitFor();

    await at.templates.tap();
    await at.template.tap();
    await at.variable.tap();
    await page.keyboard.type(NAME);
    await at.sendTemplate.tap();
    await at.message('Ждём вас, Алия.').waitFor();

    await page.getByText('Note', { exact: true }).tap();
    await at.note.tap();
    await page.keyboard.type(NOTE);
    await page.getByRole('button', { name: 'Add the note' }).tap();
    await at.message(NOTE).waitFor();

    await at.switch.tap();
    await at.words.filter({ hasText: 'AI is off until switched on' }).waitFor();
    await at.switch.tap();
    await at.words.filter({ hasText: /^AI answers$/ }).waitFor();
    await at.assigned.tap();
    await page.getByRole('menuitemradio', { name: 'Nobody' }).tap();
    await at.unassigned.tap();
    await page.getByRole('menuitemradio', { name: 'Me' }).tap();
    await at.assigned.waitFor();
    await page.getByRole('button', { name: 'Close the dialog' }).tap();
    await at.log.waitFor({ state: 'detached' });

    for (const name of ['Figures', 'Scenario runs', 'Settings']) {
      await page.getByRole('button', { name: 'Pages' }).tap();
      await page.getByRole('dialog').getByRole('link', { name, exact: true }).tap();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('main').getByRole('heading').first().waitFor();
    }

    await at.account.tap();
    await page.getByText('Русский').tap();
    await page.getByText('Тёмная').tap();
    await page.getByRole('menuitem', { name: 'Выйти' }).tap();
    await expectDone(page);
  });
});
