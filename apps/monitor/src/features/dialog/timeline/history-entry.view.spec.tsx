/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { HistoryEntryAnswer } from '@app/client/api-types';
import { openView, screen } from '../../../../testing/page-harness';
import { HistoryEntry } from './history-entry.view';

const entry = (given: Partial<HistoryEntryAnswer>): HistoryEntryAnswer => ({
  ...{ seq: 1, at: '2026-11-30T09:00:00.000Z', type: 'attention', by: 'SCENARIO', actor: null },
  ...{ request_id: null, from: null, to: 'scenario' },
  ...given,
});

describe('in the history a scenario that asks for a person', () => {
  it('because the messenger refused a message names the step and the rule, the messenger’s words behind them', async () => {
    const note = 'Reminder 2: (#131047) Re-engagement message';
    openView(<HistoryEntry entry={entry({ note, provider_code: 131047 })} />);
    const said = await screen.findByText(/Reminder 2: More than 24 hours have passed/);
    expect(said.closest('[title]')?.getAttribute('title')).toBe('(#131047) Re-engagement message');
    expect(said.textContent).not.toContain('131047');
  });

  it('for another reason has its note', async () => {
    openView(<HistoryEntry entry={entry({ note: 'Reminder 2: no answer came' })} />);
    const said = await screen.findByText(/Reminder 2: no answer came/);
    expect(said.closest('[title]')).toBeNull();
  });
});
