/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { openView, screen } from '../../../testing/page-harness';
import { PasswordField } from './password-field.view';

it.each<[string, string | undefined, string | null]>([
  ['whose error is shown is told as wrong, with the error', 'Too short', 'true'],
  ['without one is not', undefined, null],
])('a field of a password %s', async (_, error, invalid) => {
  openView(<PasswordField label="Password" error={error} />);
  const field = await screen.findByLabelText('Password');
  expect(field.getAttribute('aria-invalid')).toBe(invalid);
  const told = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(told.map((id) => document.getElementById(id)?.textContent)).toEqual(
    error === undefined ? [] : [error],
  );
  expect(screen.getByRole('button', { name: 'Show the password', hidden: true })).toBeTruthy();
});
