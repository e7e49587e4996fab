import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { HOSTILE, setProviderSettingsScene } from '../support/scenes/settings.scene';
import type { MonitorPerson } from '../support/scenes/monitor.scene';

const PATH = '/settings/templates';

const scene = setProviderSettingsScene();
let admin: MonitorPerson;

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
});

/** A draft, made as by another system. @returns its id */
async function draft(name: string, further: object = {}): Promise<string> {
  const { body, text } = await scene.admin.call('admin/templates', {
    ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', name, language: 'en' },
    ...{ category: 'utility', body: 'Your parcel is here.', ...further },
  });
  if (!body.ok) throw new Error(text);
  return body.data.id as string;
}

const kept = async (id: string): Promise<Record<string, unknown>> =>
  (await scene.admin.admin('GET', `templates/${id}`)).body.data as Record<string, unknown>;

describe(`templates in the settings (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'shows what is written as WhatsApp does, with the samples, and saves it as a draft',
    async () => {
      const page = await scene.openAs(admin, PATH);
      await page.getByRole('button', { name: 'New template' }).click();
      await page.getByLabel('Name at the provider').fill('parcel_is_here');
      await page.getByRole('textbox', { name: 'Text' }).fill('Hello {{1}}, your *parcel* is at {{2}}.');
      await page.getByLabel('Sample of {{1}}').fill('Aida');
      await page.getByLabel('Sample of {{2}}').fill('the desk');
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByText('Hello Aida, your parcel is at the desk.').waitFor();
      expect(await preview.locator('strong').innerText()).toBe('parcel');
      await page.locator('form').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'parcel_is_here' }).waitFor();
      const id = new URL(page.url()).searchParams.get('id') ?? '';
      expect(await kept(id)).toMatchObject({
        ...{ status: 'draft', body: 'Hello {{1}}, your *parcel* is at {{2}}.' },
        examples: { body: ['Aida', 'the desk'] },
      });
      scene.expectQuiet(page);
    },
  );

  inChromium('submits a draft to moderation, and tells how it stands, when that changes too', async () => {
    const id = await draft('to_submit');
    const page = await scene.openAs(admin, `${PATH}?id=${id}`);
    await page.getByRole('button', { name: 'Submit to moderation' }).click();
    const question = page.getByRole('dialog', { name: 'Submit to moderation' });
    await question.getByRole('button', { name: 'Submit to moderation' }).click();
    await page.getByRole('status').getByText('Submitted.').waitFor();
    await page.getByText('It cannot be changed in this state.').waitFor();
    await page.getByText('It can be sent.').waitFor();
    expect((await kept(id)).status).toBe('approved');
    scene.expectQuiet(page);
  });

  inChromium('shows hostile texts as text, fits every screen, and has nothing that axe finds', async () => {
    const id = await draft('hostile', { body: `Look: ${HOSTILE.replace('{{count}}', '')} end.` });
    await scene.expectFitForAll(admin, {
      [PATH]: { en: 'Templates', ru: 'Шаблоны' },
      [`${PATH}?id=${id}`]: { en: 'hostile', ru: 'hostile' },
    });
  });
});
