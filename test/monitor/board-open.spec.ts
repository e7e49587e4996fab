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
});
