import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { partsOf, setDialogScene } from './dialog.scene';

const scene = setDialogScene({ stages: [{ name: 'Новая заявка' }, { name: 'В работе' }] });

const PHONE = { viewport: { width: 360, height: 740 } };

describe(`the room in a dialog (${CHROMIUM_NEEDED})`, () => {
  afterEach(() => scene.expectAllQuiet());

  inChromium('the last message stays in view while the field grows', async () => {
    const { id, phone } = await scene.customer('Раз');
    for (const text of ['Два', 'Три', 'Четыре', 'Пять', 'Шесть', 'Семь']) await scene.says(phone, text);
    const page = await scene.openDialog(id, PHONE);
    const { field, log, message } = partsOf(page);
    await message('Семь').waitFor();
    await log.press('End');
    const untilSeen = (): Promise<boolean> =>
      eventually(
        async () => {
          const [last, frame] = [await message('Семь').boundingBox(), await log.boundingBox()];
          return last !== null && frame !== null && last.y + last.height <= frame.y + frame.height;
        },
        10_000,
        'the last message is out of view',
      );
    await untilSeen();
    await field.fill('1\n2\n3\n4\n5\n6');
    await eventually(
      async () => ((await field.boundingBox())?.height ?? 0) > 100,
      10_000,
      'the field has not grown',
    );
    await untilSeen();
    expect(await page.getByRole('button', { name: 'To the newest message' }).count()).toBe(0);
  });

  for (const [where, options] of [
    ['a phone', PHONE],
    ['a wide screen', { viewport: { width: 1440, height: 900 } }],
  ] as const)
    inChromium(
      `a notice on ${where} names the customer, and lies over nothing that is typed or pressed`,
      async () => {
        const { id } = await scene.customer('Здравствуйте', 'Болат');
        const page = await scene.openDialog(id, options);
        await page.getByRole('button', { name: /^Stage:/ }).click();
        await page.getByRole('menuitemradio', { name: 'В работе' }).click();
        await page.getByRole('status').getByText('Болат is in В работе now').waitFor();
        for (const part of [
          ...[partsOf(page).field, page.getByRole('button', { name: 'Attach a file' }), partsOf(page).switch],
          ...['Close the dialog', /^Stage:/, 'Rename'].map((name) => page.getByRole('button', { name })),
        ])
          await part.click({ trial: true, timeout: 3_000 });
      },
    );
});
