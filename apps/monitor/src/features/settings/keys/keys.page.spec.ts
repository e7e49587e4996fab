/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { ApiKeyAnswer } from '@app/client/api-types';
import { bodiesOf, fill, IDS, openPage, screen, waitFor } from '../../../../testing/page-harness';

const key = (given: Partial<ApiKeyAnswer> = {}): ApiKeyAnswer => ({
  ...{ id: 'key-1', account_id: IDS.account, name: 'Accounting', prefix: 'll_abc', scopes: ['leads'] },
  ...{ assistant_ids: [IDS.agent], bot_ids: [], limit_general: null, limit_leads: null },
  ...{ created_at: '2026-03-02T08:00:00.000Z', expires_at: null, last_used_at: null, revoked_at: null },
  ...given,
});

const open = (search: string, keys: ApiKeyAnswer[] = [key()]) =>
  openPage(`/settings/keys?${search}`, {
    answers: {
      'get /api/v1/admin/api-keys': { api_keys: keys, next_cursor: null },
    },
  });

describe('keys in the settings', () => {
  it('change by what changed alone', async () => {
    const { user, answer } = open('id=key-1');
    answer({ 'patch /api/v1/admin/api-keys/{id}': key({ limit_leads: 600 }) });
    fill(await screen.findByLabelText('Calls of leads in 60 seconds'), '600');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The key is changed. Its next call is judged by it.');
    expect(bodiesOf('patch')).toEqual([{ limit_leads: 600 }]);
  });

  it('are refused at their fields, and the server is asked for nothing', async () => {
    const { user } = open('id=new');
    fill(await screen.findByLabelText(/^Name/), 'Late');
    fill(screen.getByLabelText('Expires'), '2020-01-01T10:00');
    await user.click(screen.getAllByRole('button', { name: 'Issue a key' }).at(-1)!);
    await screen.findByText('Choose a time in the future.');
    expect(screen.getByLabelText('Expires').getAttribute('aria-invalid')).toBe('true');
    expect(bodiesOf('post')).toEqual([]);
  });

  it('warn at their fields of what they cannot do without an agent or a bot', async () => {
    const { user } = open('id=new');
    await screen.findByText('No agent is ticked: the key sees no dialog.');
    expect(screen.queryByText('No bot is ticked: the key cannot send.')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'agent' }));
    await waitFor(() => expect(screen.queryByText(/No agent is ticked/)).toBeNull());
    await user.click(screen.getByRole('checkbox', { name: 'Sending' }));
    await screen.findByText('No bot is ticked: the key cannot send.');
  });
});
