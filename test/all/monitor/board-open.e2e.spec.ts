import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { eventually } from '../../support/eventually';
import { setMonitorScene } from '../../support/scenes/monitor.scene';

const DEADLINE_MS = 10_000;

const scene = setMonitorScene();

describe(`the way to the board (${CHROMIUM_NEEDED})`, () => {
  inChromium('is at hand on an address that is no page, as the other pages are', async () => {
    const page = await scene.openAs(await scene.person(), '/nowhere');
    await page.getByRole('heading', { name: 'There is no such page.', level: 1 }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Figures' }).waitFor();
    await page.getByRole('link', { name: 'To the board' }).click();
    await page.waitForURL(`**${scene.boardPath}*`);
    // The server says so too.
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('can be found among tabs: each page has its title, and none names a customer', async () => {
    const threadId = await scene.account.addThread({ statusId: scene.stage(0) });
    await scene.kept.setFacts(threadId, `customer_name = 'Данияр'`);
    const person = await scene.person({ role: 'admin' });
    const page = await scene.openAs(person, `/dialogs/${threadId}`);
    await page.locator(`[role=listitem][data-thread-id="${threadId}"]`).getByText('Данияр').waitFor();
    const agent = await page.getByRole('combobox', { name: 'Agent' }).locator('option:checked').textContent();
    const titles: Record<string, string> = {
      [`/dialogs/${threadId}`]: `Dialog · ${agent} · Leadline`,
      [scene.boardPath]: `Board · ${agent} · Leadline`,
      '/nowhere': 'There is no such page. · Leadline',
      '/send': 'Send a template · Leadline',
      '/import': 'Import of leads · Leadline',
      '/figures': 'Figures · Leadline',
      '/runs': 'Scenario runs · Leadline',
      '/settings/stages': 'Stages · Settings · Leadline',
      '/settings/users': 'People · Settings · Leadline',
    };
    const untilCalled = (title: string) =>
      eventually(async () => (await page.title()) === title, DEADLINE_MS, `the page is not called ${title}`);
    for (const [path, title] of Object.entries(titles)) {
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
      await untilCalled(title);
    }
    await page.getByRole('button', { name: person.name }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await untilCalled('Sign in to Leadline');
    scene.expectQuiet(page);
  });

  inChromium('says what its icons do, until Escape or as long as the pointer is on the words', async () => {
    const page = await scene.openAs(await scene.person(), scene.boardPath);
    const icon = page.getByRole('button', { name: 'List of keys' });
    const words = page.getByRole('tooltip', { name: 'List of keys' });
    await icon.hover();
    await words.waitFor();
    await words.hover();
    await page.mouse.move(700, 600);
    await words.waitFor({ state: 'detached' });
    await icon.hover();
    await words.waitFor();
    await page.keyboard.press('Escape');
    await words.waitFor({ state: 'detached' });
    scene.expectQuiet(page);
  });
});
