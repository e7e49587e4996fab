import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { HOSTILE, setSettingsScene } from '../support/scenes/settings.scene';
import type { MonitorPerson } from '../support/scenes/monitor.scene';

const PATH = '/settings/templates';

const scene = setSettingsScene();
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

  inChromium(
    'says what WhatsApp would refuse at its field, in whichever language the page has, and asks the server for nothing',
    async () => {
      const page = await scene.openAs(admin, `${PATH}?id=new`);
      const bodies = scene.bodiesOf(page, 'POST');
      await page.getByLabel('Name at the provider').fill('gap');
      await page.getByRole('textbox', { name: 'Text' }).fill('Hello {{1}} and {{3}}, both.');
      await page.locator('form').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Variables are numbered from 1 on, without gaps.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Text' }).getAttribute('aria-invalid')).toBe('true');
      await page.getByRole('button', { name: /, your account$/ }).click();
      await page.getByText('Русский').click();
      await page.getByText('Номера переменных идут с 1 без пропусков.').waitFor();
      expect(bodies).toEqual([]);
      scene.expectQuiet(page);
    },
  );

  inChromium('says at its field that a name is there already', async () => {
    await draft('taken_name');
    const page = await scene.openAs(admin, `${PATH}?id=new`);
    await page.getByLabel('Name at the provider').fill('taken_name');
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello.');
    await page.locator('form').getByRole('button', { name: 'Save' }).click();
    await page.getByText('There is a template of this name in this language already.').waitFor();
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('changes nothing of a draft but what was changed', async () => {
    const id = await draft('mended', { footer: 'Harbour' });
    const page = await scene.openAs(admin, `${PATH}?id=${id}`);
    const bodies = scene.bodiesOf(page, 'PATCH');
    await page.getByLabel('Footer').fill('');
    await page.locator('form').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('The template is saved.').waitFor();
    expect(bodies).toEqual([{ footer: null }]);
    scene.expectQuiet(page);
  });

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

  inChromium('tells why a template was rejected, and lets it be mended', async () => {
    const id = await draft('reject_me');
    await scene.admin.call(`admin/templates/${id}/submit`, {});
    await eventually(async () => (await kept(id)).status === 'rejected', 10_000, 'it was not rejected');
    const page = await scene.openAs(admin, `${PATH}?id=${id}`);
    await page.getByText('The provider says:').waitFor();
    await page.getByText(String((await kept(id)).reason)).waitFor();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    scene.expectQuiet(page);
  });

  inChromium('deletes a draft once it was asked for again', async () => {
    const id = await draft('to_delete');
    const page = await scene.openAs(admin, `${PATH}?id=${id}`);
    await page.getByRole('button', { name: 'Delete the draft' }).click();
    const question = page.getByRole('dialog', { name: 'Delete the draft' });
    await question.getByRole('button', { name: 'Delete the draft' }).click();
    await page.getByRole('status').getByText('The draft is deleted.').waitFor();
    expect((await scene.admin.admin('GET', `templates/${id}`)).status).toBe(404);
    scene.expectQuiet(page);
  });

  inChromium("follows the provider's list, and counts what that changed", async () => {
    const page = await scene.openAs(admin, PATH);
    await page.getByRole('button', { name: 'Synchronise' }).click();
    const question = page.getByRole('dialog', { name: 'Synchronise with the provider' });
    await question.getByRole('button', { name: 'Synchronise' }).click();
    await page
      .getByRole('status')
      .getByText(/^Listed there: \d+\. New: \d+\./)
      .waitFor();
    scene.expectQuiet(page);
  });

  inChromium('lets operators read and nothing else', async () => {
    const id = await draft('to_read');
    const page = await scene.openAs(await scene.person(), `${PATH}?id=${id}`);
    await page.getByText('You can read the templates. Admins change them.').waitFor();
    await page.getByText('Your parcel is here.').waitFor();
    for (const name of ['Save', 'New template', 'Synchronise', 'Submit to moderation'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    scene.expectQuiet(page);
  });

  inChromium('shows hostile texts as text, fits every screen, and has nothing that axe finds', async () => {
    const id = await draft('hostile', { body: `Look: ${HOSTILE.replace('{{count}}', '')} end.` });
    await scene.expectFitForAll(admin, PATH, { en: 'Templates', ru: 'Шаблоны' });
    await scene.expectFitForAll(admin, `${PATH}?id=${id}`, { en: 'hostile', ru: 'hostile' });
  });

  describe('of two numbers', () => {
    beforeAll(() => scene.account.connect('waba', { sender: '77270000068' }));

    inChromium('tells templates of the same name apart by their numbers and languages', async () => {
      const id = await draft('told_apart');
      const page = await scene.openAs(admin, PATH);
      const ofMeta = page.getByRole('list', { name: /Meta$/ });
      const entry = ofMeta.getByRole('link', { name: /told_apart\s+English/ });
      expect(await entry.getAttribute('data-entry-id')).toBe(id);
      expect(await page.getByRole('list', { name: /Gupshup$/ }).count()).toBe(0);
      scene.expectQuiet(page);
    });

    inChromium('filters the list beside a new template, and takes nothing of it away', async () => {
      const page = await scene.openAs(admin, `${PATH}?id=new`);
      await page.getByLabel('Name at the provider').fill('kept_name');
      await page.getByLabel('State').selectOption('Draft');
      await page.waitForURL(/status=draft/);
      expect(await page.getByLabel('Name at the provider').inputValue()).toBe('kept_name');
      scene.expectQuiet(page);
    });

    inChromium('begins a new template for the number that the list is of', async () => {
      const page = await scene.openAs(admin, PATH);
      const filter = page.getByRole('region', { name: 'Templates' }).getByLabel('Number');
      for (const channel of ['waba', 'waba_coexistence']) {
        await filter.selectOption(`${scene.account.botId} ${channel}`);
        await page.getByRole('button', { name: 'New template' }).click();
        expect(await page.locator('form').getByRole('combobox', { name: 'Number' }).inputValue()).toMatch(
          ` ${channel}`,
        );
        await page.getByLabel('Name at the provider').waitFor();
        await scene.go(page, PATH);
      }
      scene.expectQuiet(page);
    });
  });
});
