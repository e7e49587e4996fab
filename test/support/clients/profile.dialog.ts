import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { untilStepIsLong } from './authenticator';

const PERIOD_MS = 30_000;

/** Opens a part of the profile from the menu of the account. */
export async function openProfile(
  page: Page,
  part: 'Password' | 'Second factor' | 'Sessions',
): Promise<Locator> {
  await page.getByRole('button', { name: /your account/ }).click();
  await page.getByRole('menuitem', { name: 'Password, second factor, sessions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your account' });
  await dialog.getByRole('tab', { name: part }).click();
  return dialog;
}

/** Sets a second factor up in what is shown, as an app of the person does. @returns its recovery codes */
export async function setUpSecondFactor(shown: Locator): Promise<string[]> {
  await shown.getByRole('button', { name: 'Set up' }).click();
  await shown.getByRole('img', { name: /QR code/ }).waitFor();
  const secret = (await shown.locator('code').first().textContent()) ?? '';
  await untilStepIsLong();
  // The code of the step before, so that those of now stay unused.
  const code = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() - PERIOD_MS,
  });
  await shown.getByRole('textbox', { name: 'Code of the app' }).fill(code);
  await shown.getByRole('button', { name: 'Turn on' }).click();
  const codes = shown.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  return codes.allTextContents();
}
