import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { setMonitorScene } from '../support/scenes/monitor.scene';

const scene = setMonitorScene();

describe(`the way to the board (${CHROMIUM_NEEDED})`, () => {
  inChromium('leads from sign-in to the address that was asked for', async () => {
    const person = await scene.person();
    const page = await scene.open();
    await scene.signIn(page, person, scene.boardPath);
    await page.waitForURL(`**${scene.boardPath}*`);
    await page.getByRole('banner').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('is at hand on an address that is no page, as the other pages are', async () => {
    const page = await scene.openAs(await scene.person(), '/nowhere');
    await page.getByRole('heading', { name: 'There is no such page.', level: 1 }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Figures' }).waitFor();
    await page.getByRole('link', { name: 'To the board' }).click();
    await page.waitForURL(`**${scene.boardPath}*`);
    // The server says so too.
    scene.expectQuiet(page, { refusals: true });
  });
});
