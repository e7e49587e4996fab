/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { RejectedItemAnswer, WebhookDeliveryAnswer, WebhookEndpointAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  fill,
  IDS,
  openPage,
  screen,
  waitFor,
  within,
  type Answers,
  type Language,
} from '../../../../testing/page-harness';

const AT = '2026-03-02T08:00:00.000Z';

const endpoint: WebhookEndpointAnswer = {
  ...{ id: 'endpoint-1', account_id: IDS.account, assistant_ids: null, created_at: AT, description: 'Shop' },
  ...{ disabled: false, disabled_at: null, disabled_reason: null, events: ['lead.renamed'] },
  ...{ failures_in_a_row: 0, last_success_at: null, max_per_second: null, pending: 0 },
  url: 'https://shop.example.com/hook',
};

const delivery: WebhookDeliveryAnswer = {
  ...{ id: 'delivery-1', endpoint_id: 'endpoint-1', event_id: 'event-1', created_at: AT, replayed: false },
  ...{ type: 'lead.renamed', state: 'pending', next_at: AT, thread_id: null },
  attempts: [{ at: AT, error: 'the connection broke', ms: 12, reason: 'reset', status: null }],
};

const reject: RejectedItemAnswer = {
  ...{ id: 'reject-1', account_id: IDS.account, bot_id: null, provider: 'cloud', received_at: AT },
  ...{ path: 'entry[0]', reason: '"id" is missing', item: '{"type":"text","body":"Сәлем"}' },
};

const open = (search: string, answers: Answers = {}, language: Language = 'en') =>
  openPage(`/settings/webhooks?${search}`, {
    language,
    answers: {
      'get /api/v1/admin/webhook-endpoints': { webhook_endpoints: [endpoint], next_cursor: null },
      'get /api/v1/admin/webhook-endpoints/{id}/deliveries': { deliveries: [delivery], next_cursor: null },
      'get /api/v1/admin/webhook-rejects': { webhook_rejects: [reject], next_cursor: null },
      ...answers,
    },
  });

describe('endpoints in the settings', () => {
  it('are refused at their fields before the server is asked', async () => {
    const { user } = open('id=new');
    fill(await screen.findByLabelText(/^Address/), 'shop.example.com');
    await user.click(screen.getByRole('radio', { name: 'Only these' }));
    await user.click(screen.getByRole('button', { name: 'Make the endpoint' }));
    await screen.findByText(/^This is no address, such as/);
    await screen.findByText('Choose at least one.');
    expect(screen.getByLabelText(/^Address/).getAttribute('aria-invalid')).toBe('true');
    expect(bodiesOf('post')).toEqual([]);
  });

  it('change by what was changed alone', async () => {
    const { user } = open('id=endpoint-1&tab=settings', {
      'patch /api/v1/admin/webhook-endpoints/{id}': { ...endpoint, max_per_second: 20 },
    });
    await user.click(await screen.findByRole('checkbox', { name: /^A customer wrote/ }));
    fill(screen.getByLabelText(/^At most so many requests a second/), '20');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The endpoint is changed.');
    expect(bodiesOf('patch')).toEqual([{ events: ['lead.renamed', 'message.received'], max_per_second: 20 }]);
  });

  it('say why no answer came in the page’s language', async () => {
    const { user } = open('id=endpoint-1', {}, 'ru');
    const attempts = await screen.findByText(/1 попытка/);
    await user.click(attempts);
    const shown = attempts.closest<HTMLElement>('[data-delivery-id][data-state=pending]')!;
    expect(within(shown).getAllByText('Соединение оборвалось.')).not.toEqual([]);
    expect(shown.textContent).not.toContain('the connection broke');
  });

  it('show their deliveries by state', async () => {
    const { user, calls, answer } = open('id=endpoint-1');
    await screen.findByText('A customer was renamed');
    answer({ 'get /api/v1/admin/webhook-endpoints/{id}/deliveries': { deliveries: [], next_cursor: null } });
    await user.selectOptions(screen.getByLabelText('State'), 'Delivered');
    await screen.findByText('No delivery is in this state.');
    expect(calls.some(({ query }) => query.state === 'delivered')).toBe(true);
  });

  it('do not send again what is older than is kept', async () => {
    const { user } = open('id=endpoint-1');
    await user.click(await screen.findByRole('button', { name: 'Send what was missed' }));
    const question = await screen.findByRole('dialog', { name: 'Send what was missed?' });
    fill(within(question).getByLabelText(/^From/), '2020-01-01T10:00');
    await within(question).findByText('Choose a time in the last 14 days.');
  });
});

describe('webhooks that could not be taken in', () => {
  it('show why, and their text on demand', async () => {
    const { user } = open('');
    await screen.findByText('"id" is missing');
    await user.click(screen.getByText('Text of the piece'));
    expect(screen.getByText(/"body": "Сәлем"/)).toBeTruthy();
  });

  it.each([
    [true, null, /^It is taken in\./],
    [false, 'of a number that is not connected', /^It could not be taken in\./],
  ])('tell whether they are taken in now: %s', async (taken_in, reason, told) => {
    const { user } = open('', {
      'post /api/v1/admin/webhook-rejects/{id}/retry': { id: 'reject-1', taken_in, reason },
    });
    await user.click(await screen.findByRole('button', { name: 'Take it in again: "id" is missing' }));
    await screen.findByText(told);
  });

  it('are deleted once it was asked for again', async () => {
    const { user, answer, calls } = open('');
    await user.click(await screen.findByRole('button', { name: 'Delete: "id" is missing' }));
    const question = await screen.findByRole('dialog', { name: 'Delete this piece?' });
    expect(calls.some(({ route }) => route.startsWith('delete'))).toBe(false);
    answer({
      'delete /api/v1/admin/webhook-rejects/{id}': reject,
      'get /api/v1/admin/webhook-rejects': { webhook_rejects: [], next_cursor: null },
    });
    await user.click(within(question).getByRole('button', { name: 'Delete' }));
    await screen.findByText('The piece is deleted.');
    await waitFor(() => expect(screen.queryByText('"id" is missing')).toBeNull());
  });
});
