/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { AssistantAnswer, ToolAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  fill,
  IDS,
  NO_ANSWER,
  openPage,
  screen,
  waitFor,
  within,
  type Answers,
} from '../../../../testing/page-harness';

const agent = (given: Partial<AssistantAnswer> = {}): AssistantAnswer => ({
  ...{ id: IDS.agent, account_id: IDS.account, name: 'agent', instructions: '', model: null },
  ...{ auto_return_minutes: 30, barred_kinds: [], created_at: '2026-03-02T08:00:00.000Z' },
  model_options: null,
  vision: false,
  ...{ handover_text: null, replies_per_hour: 60, reply_characters_max: 1_000, reply_delay_ms: null },
  reply_parts_max: 3,
  ...given,
});

const tool: ToolAnswer = {
  ...{ id: 'tool-1', assistant_id: IDS.agent, name: 'book_visit', description: 'Books a visit.' },
  ...{ method: 'POST', url: 'https://shop.example.com/visits', enabled: true, timeout_ms: 10_000 },
  ...{ auto_fill: {}, header_names: ['Authorization'], parameters: { type: 'object', properties: {} } },
  created_at: '2026-03-02T08:00:00.000Z',
};

const open = (search: string, answers: Answers = {}) =>
  openPage(`/settings/assistants?${search}`, {
    answers: {
      'get /api/v1/admin/assistants': { assistants: [agent()], next_cursor: null },
      'get /api/v1/admin/assistants/{id}/tools': { tools: [tool], next_cursor: null },
      ...answers,
    },
  });

describe('agents in the settings', () => {
  it('change by what changed alone, and refuse what is out of bounds', async () => {
    const { user } = open(`id=${IDS.agent}`, {
      'patch /api/v1/admin/assistants/{id}': agent({ reply_parts_max: 2 }),
    });
    const parts = await screen.findByLabelText(/^Messages in one reply, at most/);
    fill(parts, '11');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(parts.getAttribute('aria-invalid')).toBe('true'));
    expect(bodiesOf('patch')).toEqual([]);
    fill(parts, '2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved');
    expect(bodiesOf('patch')).toEqual([{ reply_parts_max: 2 }]);
  });

  it('open once they are made, though the session cannot be read just then', async () => {
    const made = agent({ id: 'agent-2', name: 'Вечерний агент' });
    const { user, answer } = open('id=new', { 'post /api/v1/admin/assistants': made });
    fill(await screen.findByLabelText(/^Name/), 'Вечерний агент');
    answer({
      'get /api/v1/auth/me': NO_ANSWER,
      'get /api/v1/admin/assistants': { assistants: [agent(), made], next_cursor: null },
    });
    await user.click(screen.getByRole('button', { name: 'Make the agent' }));
    await screen.findByRole('heading', { name: 'Вечерний агент' });
  });

  it('have tools whose secrets are never shown again', async () => {
    const { user } = open(`id=${IDS.agent}&tab=tools&tool=tool-1`, {
      'patch /api/v1/admin/assistants/{id}/tools/{tool_id}': { ...tool, enabled: false },
    });
    await screen.findByText('Kept: Authorization');
    const address = screen.getByLabelText(/^Address/);
    const { value: url } = address as HTMLInputElement;
    fill(address, 'https://elsewhere.example/');
    await screen.findByText('Not kept at another address: Authorization. Give them again.');
    fill(address, url);
    await screen.findByText('Kept: Authorization');
    await user.click(screen.getByLabelText('The model may call it'));
    const form = within(screen.getByRole('tabpanel', { name: 'Tools' }));
    await user.click(form.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved');
    expect(bodiesOf('patch')).toEqual([{ enabled: false }]);
  });
});
