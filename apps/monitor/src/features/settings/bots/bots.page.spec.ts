/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { BotAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  bot,
  fill,
  openPage,
  refused,
  screen,
  waitFor,
  within,
  type Answers,
} from '../../../../testing/page-harness';

const open = (given: BotAnswer = bot(), answers: Answers = {}) =>
  openPage('/settings/bots?id=bot-1', {
    answers: { 'get /api/v1/admin/bots': { bots: [given], next_cursor: null }, ...answers },
  });

const meta = async () => within(await screen.findByRole('group', { name: 'WhatsApp at Meta' }));

describe('bots in the settings', () => {
  it('tell that a secret is set, show it nowhere, and keep it where none is given', async () => {
    const { user } = open(bot(), {
      'put /api/v1/admin/bots/{id}/channels/{channel}': bot({ messages_per_second: 15 }),
    });
    const number = await meta();
    const token = number.getByLabelText<HTMLInputElement>(/^Access token/);
    expect([token.value, token.placeholder]).toEqual(['', 'Set. Leave it empty to keep it.']);
    fill(number.getByLabelText('Messages a second'), '15');
    await user.click(number.getByRole('button', { name: 'Save the number' }));
    await screen.findByText('The number is changed.');
    expect(bodiesOf('put')).toEqual([
      { sender: '100000000000066', settings: { waba_id: '7100000000000066' }, messages_per_second: 15 },
    ]);
  });

  it('take the secret of an own app for a number at Meta alone, and show it nowhere', async () => {
    const { user } = open(bot({ app_secret_set: true }), {
      'put /api/v1/admin/bots/{id}/channels/{channel}': bot({ app_secret_set: true }),
    });
    const number = await meta();
    expect(screen.getAllByLabelText(/^App secret/)).toHaveLength(1);
    const secret = number.getByLabelText<HTMLInputElement>(/^App secret/);
    expect([secret.value, secret.type, secret.placeholder]).toEqual([
      ...['', 'password', 'Set. Leave it empty to keep it.'],
    ]);
    fill(secret, 'short');
    await user.click(number.getByRole('button', { name: 'Save the number' }));
    await number.findByText('At least 16 Latin letters and digits, no blanks and commas.');
    fill(secret, '5f0c1d7e9ab34826b1d06e3f7a92c845');
    await user.click(number.getByRole('button', { name: 'Save the number' }));
    await screen.findByText('The number is changed.');
    expect(bodiesOf('put')).toMatchObject([{ app_secret: '5f0c1d7e9ab34826b1d06e3f7a92c845' }]);
    await waitFor(() => expect(number.getByLabelText<HTMLInputElement>(/^App secret/).value).toBe(''));
  });

  it('show the address for the provider, to be copied', async () => {
    open();
    const address = await screen.findByRole('group', { name: 'Address for the provider' });
    expect(address.textContent).toContain('https://leads.example.com/webhooks/whatsapp');
  });

  it('say at its field that a number belongs to another bot', async () => {
    const { user } = open(bot(), {
      'put /api/v1/admin/bots/{id}/channels/{channel}': refused('ALREADY_EXISTS', { status: 409 }),
    });
    const number = await meta();
    fill(number.getByLabelText(/^Phone number ID/), '100000000000067');
    await user.click(number.getByRole('button', { name: 'Save the number' }));
    await number.findByText(/^This number is connected to another bot\./);
    expect(number.getByLabelText(/^Phone number ID/).getAttribute('aria-invalid')).toBe('true');
  });

  it('say at its field what no provider would take', async () => {
    const { user } = open({ ...bot(), channels: [] });
    const number = await meta();
    await number.findByText('Not connected');
    fill(number.getByLabelText(/^Phone number ID/), '+7 701');
    await user.click(number.getByRole('button', { name: 'Connect' }));
    await waitFor(() =>
      expect(number.getByLabelText(/^Phone number ID/).getAttribute('aria-invalid')).toBe('true'),
    );
    number.getByText('It is needed to connect the number.');
    expect(bodiesOf('put')).toEqual([]);
  });

  it('explain why a number does not work, in words and in those of the provider', async () => {
    const { user } = open(bot(), {
      'post /api/v1/admin/bots/{id}/channels/{channel}/test': {
        ...{ ok: false, checked_at: '2026-03-02T08:00:00.000Z', problem: 'the token is not valid' },
        provider_response: { error: { code: 190 } },
      },
    });
    const number = await meta();
    await number.findByText('Connected');
    await user.click(number.getByRole('button', { name: 'Test' }));
    await number.findByText('It does not work.');
    await number.findByText('the token is not valid');
    number.getByText('Does not work');
    expect(number.queryByText('Connected')).toBeNull();
    expect(number.getByText(/"code": 190/)).toBeTruthy();
  });

  it('are disconnected once it was asked for again', async () => {
    const { user, answer } = open();
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }));
    const question = await screen.findByRole('dialog', { name: 'Disconnect this number?' });
    answer({
      'delete /api/v1/admin/bots/{id}/channels/{channel}': bot({ connected: false }),
      'get /api/v1/admin/bots': { bots: [bot({ connected: false })], next_cursor: null },
    });
    await user.click(within(question).getByRole('button', { name: 'Disconnect' }));
    await screen.findByText('The number is disconnected.');
    await waitFor(() => expect(screen.getAllByPlaceholderText('Not set.').length).toBeGreaterThan(0));
  });
});
