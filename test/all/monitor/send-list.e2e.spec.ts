import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { eventually } from '../../support/eventually';
import { PASSWORD } from '../../support/clients/session.client';
import { setSendPageScene } from '../../support/scenes/send-page.scene';
import { accept, refuse } from '../../support/stand-ins/scripted.provider';

const scene = setSendPageScene();

const readablePhone = (phone: string): string =>
  phone.replace(/^\+7(\d{3})(\d{3})(\d\d)(\d\d)$/, '+7 $1 $2 $3 $4');

/** Opens the page with recipients typed in by hand. */
async function composed(phones: readonly string[], person = scene.person()): Promise<Page> {
  const page = await scene.openAs(await person, '/send');
  await scene.choose(page, 'order_ready');
  await page.getByRole('textbox', { name: 'Recipients' }).fill(phones.join('\n'));
  return page;
}

describe(`a list of recipients (${CHROMIUM_NEEDED})`, () => {
  afterEach(() => scene.account.setQuota(null));

  inChromium('is shown again after a reload, with the reason of each that failed', async () => {
    const [good = '', bad = ''] = scene.newPhones(2);
    scene.provider.on(bad, refuse(400, 131026));
    const page = await composed([good, bad]);
    await scene.send(page);
    await page.waitForURL(/batch=/);
    await page.reload();
    await page.getByRole('heading', { name: 'The list was sent' }).waitFor();
    const failed = page.getByRole('row').filter({ hasText: readablePhone(bad) });
    await failed
      .filter({ hasText: 'failed' })
      .filter({ hasText: 'The messenger cannot reach this phone' })
      .waitFor();
    await failed.getByRole('link', { name: /Open the dialog/ }).click();
    await page.waitForURL(/\/dialogs\/thread_/);
    scene.expectQuiet(page);
  });

  inChromium('goes out over plain http too, where browsers make no ids by themselves', async () => {
    const phones = scene.newPhones(1);
    const page = await composed(phones);
    await page.evaluate('delete Crypto.prototype.randomUUID');
    await scene.send(page);
    await page.getByRole('heading', { name: 'The list was sent' }).waitFor();
    expect(scene.timesAsked(phones)).toEqual([1]);
  });

  inChromium('goes out with the file or the place that the header of its template shows', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    const headerSent = async (template: string, values: Record<string, string>): Promise<unknown> => {
      const [phone = ''] = scene.newPhones(1);
      await scene.choose(page, template);
      for (const [label, value] of Object.entries(values))
        await page.getByRole('textbox', { name: label }).fill(value);
      await page.getByRole('textbox', { name: 'Recipients' }).fill(phone);
      await scene.send(page);
      await page.getByRole('heading', { name: 'The list was sent' }).waitFor();
      await page.getByRole('button', { name: 'New list' }).click();
      const sent = scene.provider.sendsTo(phone)[0]?.body.template as { components: unknown[] };
      return sent.components;
    };
    const link = 'https://shop.example.com/prices.png';
    expect(await headerSent('with_image', { 'Address of the image': link })).toEqual([
      { type: 'header', parameters: [{ type: 'image', image: { link } }] },
    ]);
    const place = {
      latitude: '43.238949',
      longitude: '76.889709',
      name: 'Арбат',
      address: 'Жибек Жолы, 50',
    };
    expect(
      await headerSent('with_location', {
        ...{ Latitude: place.latitude, Longitude: place.longitude },
        ...{ 'Name of the place': place.name, 'Address of the place': place.address },
      }),
    ).toEqual([{ type: 'header', parameters: [{ type: 'location', location: place }] }]);
    scene.expectQuiet(page);
  });

  inChromium('ends where the provider was not paid, and says how many it kept back', async () => {
    const phones = scene.newPhones(101);
    scene.provider.on(phones[0] ?? '', refuse(400, 131042));
    const page = await composed(phones);
    await scene.send(page);
    const told = page.getByRole('alert').filter({ hasText: 'Sending ended early.' });
    await told.getByText('1 were not handed over and were not sent.').waitFor();
    await told.getByText('The provider was not paid.').waitFor();
    expect(scene.timesAsked(phones.slice(100))).toEqual([0]);
    scene.expectQuiet(page);
  });

  inChromium('ends where its number was disconnected meanwhile, with the reason', async () => {
    const phones = scene.newPhones(101);
    const page = await composed(phones);
    const sending = Promise.withResolvers<void>();
    scene.provider.on(phones[0] ?? '', async (response, received, n) => {
      await sending.promise;
      await accept(response, received, n);
    });
    await scene.send(page);
    await scene.untilAsked(phones.slice(0, 100));
    const connectAnew = await scene.disconnect();
    sending.resolve();
    const told = page.getByRole('alert').filter({ hasText: 'Sending ended early.' });
    try {
      await told.getByText('the bot has no such channel connected').waitFor();
    } finally {
      await connectAnew();
    }
    expect(scene.timesAsked(phones.slice(100))).toEqual([0]);
    scene.expectQuiet(page, { refusals: true });
  });

  inChromium('goes on in its own tab while the person is on another page', async () => {
    const phones = scene.newPhones(3);
    const page = await composed(phones);
    const sending = Promise.withResolvers<void>();
    await page.route('**/send-template', async (route) => {
      await sending.promise;
      await route.continue();
    });
    await scene.send(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Figures' }).click();
    await page.waitForURL('**/figures');
    sending.resolve();
    await scene.untilAsked(phones);
    await page.getByRole('navigation').getByRole('link', { name: 'Send' }).click();
    await page.waitForURL(/batch=/);
    await page.getByText('3 of 3').waitFor();
  });

  inChromium(
    'that goes out does not take the person back from a page that is still being fetched',
    async () => {
      const phones = scene.newPhones(1);
      const page = await composed(phones);
      const sending = Promise.withResolvers<void>();
      const fetching = Promise.withResolvers<void>();
      await page.route('**/send-template', async (route) => {
        await sending.promise;
        await route.continue();
      });
      await page.route(/figures\.page/, async (route) => {
        await fetching.promise;
        await route.continue();
      });
      await scene.send(page);
      await page.getByRole('navigation').getByRole('link', { name: 'Figures' }).click();
      await page.waitForURL('**/figures');
      sending.resolve();
      await page.getByRole('heading', { name: 'The list was sent' }).waitFor();
      fetching.resolve();
      await page.getByRole('heading', { name: 'Figures' }).waitFor();
    },
  );

  inChromium('is downloaded with its results, in which phones stay readable', async () => {
    const [good = '', bad = ''] = scene.newPhones(2);
    scene.provider.on(bad, refuse(400, 131026));
    const page = await composed([good, bad]);
    await scene.send(page);
    await page.getByRole('heading', { name: 'The list was sent' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Result as CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.startsWith('\uFEFFPhone,Status,Code,Reason,Message,Dialog\r\n')).toBe(true);
    expect(text).toContain(`\r\n${good},sent,,,`);
    expect(text).toContain(`\r\n${bad},failed,PROVIDER_ERROR,`);
  });

  inChromium('that does not fit into the quota cannot be sent by an admin', async () => {
    await scene.account.setQuota((await scene.account.quotaUsed()) + 2);
    const page = await composed(scene.newPhones(3), scene.person({ role: 'admin' }));
    await page.getByText('The list does not fit: 1 too many.').waitFor();
    expect(await page.locator('[data-quota-left]').textContent()).toBe('2');
    expect(await page.getByRole('button', { name: 'Send to 3 recipients' }).isDisabled()).toBe(true);
  });

  inChromium(
    'that does not fit into the quota is refused to an operator with the reason, and is not lost',
    async () => {
      await scene.account.setQuota((await scene.account.quotaUsed()) + 2);
      const phones = scene.newPhones(3);
      const page = await composed(phones);
      await scene.send(page);
      await page.getByText('The quota of messages is used up.').waitFor();
      await page.getByRole('button', { name: 'New list' }).click();
      expect(await page.getByRole('textbox', { name: 'Recipients' }).inputValue()).toBe(phones.join('\n'));
      expect(scene.timesAsked(phones)).toEqual([0, 0, 0]);
    },
  );

  inChromium(
    'waits while the session has ended, and goes out when the person has signed in over it',
    async () => {
      const phones = scene.newPhones(2);
      const person = await scene.person();
      const page = await composed(phones, Promise.resolve(person));
      let isEnded = false;
      await page.route('**/send-template', async (route) => {
        if (!isEnded)
          await scene.admin.call(`admin/users/${person.session.userId}/sessions`, undefined, 'DELETE');
        isEnded = true;
        await route.continue();
      });
      await scene.send(page);
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await scene.untilAsked(phones);
      await page.getByText('2 of 2').waitFor();
      expect(scene.timesAsked(phones)).toEqual([1, 1]);
    },
  );

  inChromium('leaves nothing of a customer in the browser', async () => {
    const phones = scene.newPhones(2);
    const page = await composed(phones);
    await scene.send(page);
    await page.getByRole('heading', { name: 'The list was sent' }).waitFor();
    const kept = await page.evaluate<string>(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }])`);
    for (const phone of phones) expect(kept).not.toContain(phone.slice(1));
  });

  inChromium('does not go on in the name of somebody who signs in in another tab', async () => {
    const phones = scene.newPhones(2);
    const page = await composed(phones);
    const untilRefused = await scene.putOff(page);
    await scene.send(page);
    await untilRefused();
    const beside = await scene.openBeside(page);
    await scene.go(beside, '/send');
    await scene.signOut(beside);
    await scene.fillIn(beside, await scene.person({ name: 'Берик' }));
    await beside.getByRole('button', { name: 'Берик, your account' }).waitFor();
    await page.unroute('**/send-template');
    await page.getByRole('button', { name: 'Берик, your account' }).waitFor();
    await page.getByRole('textbox', { name: 'Recipients' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Recipients' }).inputValue()).toBe('');
    expect(scene.timesAsked(phones)).toEqual([0, 0]);
  });

  inChromium('is shown as WhatsApp shows it, recipient by recipient', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'visit_reminder');
    await page.getByText('Of each recipient').click();
    await page
      .getByRole('textbox', { name: 'Recipients' })
      .fill('+77020990001; Юлия; 10:00\n+77020990002; _Олжас_; ~9:00~ 9:30');
    const preview = page.locator('[data-preview]');
    await preview.getByText('Юлия').waitFor();
    expect(await preview.locator('strong').textContent()).toBe('10:00');
    await page.getByRole('button', { name: 'Next recipient' }).click();
    expect(await preview.locator('em').textContent()).toBe('Олжас');
    expect(await preview.locator('s').textContent()).toBe('9:00');
    expect(await preview.textContent()).toContain('Harbour Coffee');
  });

  inChromium('is typed with commas or in lines, with the same value for all', async () => {
    const phones = scene.newPhones(3);
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'visit_reminder');
    await page.getByRole('textbox', { name: 'Variable 1' }).fill('друзья');
    await page.getByRole('textbox', { name: 'Variable 2' }).fill('12:00');
    await page.getByRole('textbox', { name: 'Recipients' }).fill(`${phones[0]}, ${phones[1]}\n${phones[2]}`);
    await scene.send(page);
    await scene.untilAsked(phones);
    for (const phone of phones)
      expect(JSON.stringify(scene.provider.sendsTo(phone)[0]?.body)).toContain('друзья');
  });

  inChromium('can be put together for the customer of a dialog, by the address that leads here', async () => {
    const threadId = await scene.account.addThread({ phone: '+77020990099' });
    const page = await scene.openAs(await scene.person(), `/send?thread=${threadId}`);
    const recipients = page.getByRole('textbox', { name: 'Recipients' });
    await eventually(
      async () => (await recipients.inputValue().catch(() => '')) === '+77020990099',
      10_000,
      'the phone was not filled in',
    );
  });
});
