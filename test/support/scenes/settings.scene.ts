import type { Page } from 'playwright-core';
import type { RunningSandbox } from '../../../apps/sandbox/src/sandbox-server';
import { axeFaults } from '../clients/axe.checker';
import { CREDENTIAL } from '../database/fixture';
import { holdPort } from '../faults/held.port';
import { IS_LONG } from '../long.mode';
import { SECRETS } from '../programs/server.process';
import { PASSWORD } from '../clients/session.client';
import { shared } from '../worker/shared';
import { extend, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';
import { makeMonitorScene, type MonitorPerson } from './monitor.scene';

/** The account's number at Meta's stand-in. */
export const SENDER = '100000000000066';
/** One more there, of no bot yet. */
export const FREE_SENDER = '100000000000067';
export const FREE_TOKEN = 'EAAG-a-token-that-is-good';
export const FREE_PHONE = '+77270000067';

/** What a hostile name tries: to be markup, to turn the text around it, to be filled in as words of the page. */
export const HOSTILE = '<img src=x onerror="window.hacked=1"> שלום $t(save) {{count}}';

/** The monitor for pages on which admins are asked for their password. */
export function makeSettingsScene(options?: SceneOptions) {
  const scene = extend(makeMonitorScene(options), {
    /** Where the page asks for the password again. */
    async confirm(page: Page): Promise<void> {
      const dialog = page.getByRole('dialog', { name: 'Your password, please' });
      await dialog.locator('input[type=password]').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await dialog.waitFor({ state: 'detached' });
    },

    /** Bodies of the page's calls of this method from now on. */
    bodiesOf(page: Page, method: string): unknown[] {
      const bodies: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === method && !request.url().endsWith('/auth/confirm'))
          bodies.push(request.postDataJSON());
      });
      return bodies;
    },

    /**
     * At each address nothing that axe finds, and nothing beside the page: on a phone of 360 px, dark and in Russian, and in
     * `npm run test:all` wide, light and in English, too.
     * @param pages by their addresses, with headings that the one before has not, and what is seen besides: the page goes
     * from one to the other
     */
    async expectFitForAll(
      person: MonitorPerson,
      pages: Readonly<Record<string, { en: string; ru: string; sees?: string }>>,
    ): Promise<void> {
      const light = {
        viewport: { width: 1440, height: 900 },
        colorScheme: 'light',
        locale: 'en-GB',
      } as const;
      const dark = { viewport: { width: 360, height: 740 }, colorScheme: 'dark', locale: 'ru-RU' } as const;
      const looks = [['ru', dark] as const, ...(IS_LONG ? [['en', light] as const] : [])];
      for (const [language, options] of looks) {
        const page = await scene.openAs(person, Object.keys(pages)[0] ?? '', options);
        for (const [path, { sees, ...heading }] of Object.entries(pages)) {
          await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
          await page.getByRole('heading', { name: heading[language] }).first().waitFor();
          if (sees) await page.locator(sees).first().waitFor();
          await page.waitForLoadState('networkidle');
          expect([path, await axeFaults(page)]).toEqual([path, []]);
          const beside = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect([path, beside]).toEqual([path, 0]);
        }
        expect(await page.evaluate('window.hacked')).toBeUndefined();
        scene.expectQuiet(page);
        await scene.closeWindow(page);
      }
    },
  });
  return scene;
}

/** The same of an account whose number is at a stand-in of Meta, which knows it: for pages that ask the provider. */
export function makeProviderSettingsScene(options?: SceneOptions) {
  let sandbox: RunningSandbox;

  const scene = extend(makeSettingsScene({ ...options, ownServer: true }), {
    get sandbox(): RunningSandbox {
      return sandbox;
    },
  });

  scene.withStandIns(async () => {
    await scene.account.connect('waba_coexistence', { sender: SENDER });
    // The stand-in must know the service's address before the service is there.
    const held = await holdPort();
    sandbox = await shared.startSandbox({
      cloud: {
        appSecret: SECRETS.CLOUD_API_APP_SECRET,
        verifyToken: SECRETS.CLOUD_API_VERIFY_TOKEN,
        webhookUrl: `http://127.0.0.1:${held.port}/webhooks/whatsapp`,
      },
      numbers: [numberOf(SENDER, '+77270000066', CREDENTIAL), numberOf(FREE_SENDER, FREE_PHONE, FREE_TOKEN)],
      templates: [],
      moderationMs: 20,
      webhookRetry: { firstMs: 20, longestMs: 100 },
    });
    scene.whenClosed(() => sandbox.stop());
    held.close();
    return { PORT: String(held.port), CLOUD_API_URL: sandbox.url };
  });
  return scene;
}

const numberOf = (sender: string, displayPhone: string, token: string) => ({
  ...{ channel: 'waba_coexistence' as const, sender, displayPhone, businessId: `7${sender}`, token },
});

export const { set: setSettingsScene } = sceneOf(makeSettingsScene);
export const { set: setProviderSettingsScene } = sceneOf(makeProviderSettingsScene);
