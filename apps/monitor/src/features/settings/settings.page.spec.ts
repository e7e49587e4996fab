/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { AuditEntryAnswer, WorkQueueAnswer } from '@app/client/api-types';
import { IDS, openPage, screen, waitFor, within } from '../../../testing/page-harness';

const NAMES = ['replies', 'send-queues', 'media'] as const;

describe('the settings', () => {
  it.each(['assistants', 'bots', 'keys', 'users', 'webhooks', 'audit', 'work'])(
    'tell an operator that %s are for admins, and ask for nothing of them',
    async (name) => {
      const { calls } = openPage(`/settings/${name}`, { as: { role: 'operator' } });
      await screen.findByRole('heading', { name: 'This page is for admins.', level: 1 });
      expect(calls).toEqual([]);
    },
  );

  it('list for an operator what may be read, and for an admin all', async () => {
    const listed = async (): Promise<string[]> => {
      const list = await screen.findByRole('navigation', { name: 'Page of the settings' });
      return within(list)
        .getAllByRole('link')
        .map(({ textContent }) => textContent ?? '');
    };
    openPage('/settings/nothing', { as: { role: 'operator' } });
    await waitFor(async () => expect(await listed()).toEqual(['Stages', 'Scenarios', 'Templates']));
  });

  it('say that they have no such page, and lead back', async () => {
    const { user } = openPage('/settings/nothing', {
      answers: { 'get /api/v1/admin/assistants': { assistants: [], next_cursor: null } },
    });
    await screen.findByText('The settings have no such page.');
    await user.click(screen.getByRole('link', { name: 'To the settings' }));
    await waitFor(() => expect(location.pathname).toBe('/settings/assistants'));
  });

  it('tell of each kind of work what the server tells', async () => {
    const queues = NAMES.map((name, n): WorkQueueAnswer => ({
      ...{ name, due: 10 + n, in_flight: 30 + n, failed_last_hour: 50 + n, oldest_due_seconds: null },
    }));
    const { user, answer } = openPage('/settings/work', {
      answers: { 'get /api/v1/admin/work': { queues, sending_held_since: null } },
    });
    await screen.findByRole('rowheader', { name: /^Replies of agents/ });
    await screen.findByText('Nothing is late.');
    const cells = (label: string) =>
      [...document.querySelectorAll(`td[data-label="${label}"]`)].map(({ textContent }) => textContent);
    expect([cells('Due'), cells('Under way'), cells('Failed in the last hour')]).toEqual([
      ['10', '11', '12'],
      ['30', '31', '32'],
      ['50', '51', '52'],
    ]);
    const late = queues.map((queue) => ({ ...queue, oldest_due_seconds: 31 }));
    answer({ 'get /api/v1/admin/work': { queues: late, sending_held_since: null } });
    await user.click(screen.getByRole('button', { name: 'Read it now' }));
    await waitFor(() => expect(screen.queryByText('Nothing is late.')).toBeNull());
  });
});

describe('the audit in the settings', () => {
  const entry = (given: Partial<AuditEntryAnswer> = {}): AuditEntryAnswer => ({
    ...{ id: 'entry-1', account_id: IDS.account, action: 'bot.update', at: '2026-03-02T19:30:00.000Z' },
    ...{ actor: { id: IDS.person, name: 'Айгуль', type: 'user' }, ip: null, request_id: 'r' },
    ...{ subject: { id: 'bot-1', name: 'bot', type: 'bot' } },
    ...{ before: { name: 'bot' }, after: { name: 'Day shift' } },
    ...given,
  });
  const open = (entries: AuditEntryAnswer[], search = '') =>
    openPage(`/settings/audit${search}`, {
      answers: { 'get /api/v1/admin/audit': { entries, next_cursor: null } },
    });

  it('tells who changed what, with what it was before', async () => {
    const { user } = open([entry()]);
    await user.click(await screen.findByText('What changed'));
    const row = await screen.findByRole('row', { name: /^name/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['bot', 'Day shift']);
    const time = document.querySelector('time');
    expect(time?.getAttribute('title')).toBe('2026-03-02 19:30:00 UTC');
    const there = new Date('2026-03-02T19:30:00.000Z').toLocaleTimeString('en-US', {
      hour: '2-digit',
      minute: '2-digit',
    });
    const plain = (text = '') => text.replaceAll(/\s/g, ' ').replace(/^0/, '');
    expect(plain(time?.textContent)).toContain(plain(there));
  });

  it('tells of a long text only which lines differ', async () => {
    const { user } = open([
      entry({
        before: { instructions: 'You sell coffee.\nBe brief.\nBe kind.' },
        after: { instructions: 'You sell coffee.\nBe polite.\nBe kind.' },
      }),
    ]);
    await user.click(await screen.findByText('What changed'));
    await screen.findByRole('table');
    const lines = (kind: string) =>
      [...document.querySelectorAll(`[data-kind=${kind}] bdi`)].map(({ textContent }) => textContent);
    expect([lines('gone'), lines('new'), lines('same').length]).toEqual([['Be brief.'], ['Be polite.'], 2]);
  });

  it('asks for what the filters in the address say, and says that nothing was done so', async () => {
    const { user, calls } = open([], '?action=tool.delete');
    await screen.findByText('Nothing was done so.');
    const asked = () => calls.map(({ query }) => query.action);
    expect(asked()).toContain('tool.delete');
    await user.selectOptions(screen.getByLabelText('What was done'), 'bot.update');
    await waitFor(() => expect(location.search).toBe('?action=bot.update'));
    await waitFor(() => expect(asked()).toContain('bot.update'));
  });
});
