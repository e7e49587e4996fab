/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Card } from '@app/contracts/board.events';
import type { ReactNode } from 'react';
import {
  bodiesOf,
  bot,
  card,
  openPage,
  screen,
  template,
  waitFor,
  within,
} from '../../../testing/page.harness';

// Files need a worker and styles, which are proven in a browser.
jest.mock('./csv-file.view', () => ({ CsvRecipients: () => null }));
// Which rows are drawn is a matter of their place, which is proven in a browser.
jest.mock('./virtual-rows.view', () => ({
  VirtualRows: ({ count, cells }: { count: number; cells: (n: number) => ReactNode[] }) => (
    <ul aria-label="rows">
      {Array.from({ length: count }, (_, n) => (
        <li key={n}>{...cells(n)}</li>
      ))}
    </ul>
  ),
}));

const ID = 'thread_01930000-0000-7000-8000-0000000000d1';
const UNKNOWN = { wa_id: null, user_id: 'KZ.501', phone: null, phone_proven: false };

function open(given: Partial<Card>, path = `/send?thread=${ID}`) {
  const thread = { ...card({ thread_id: ID, ...given }), url: '', last_message: null };
  return openPage(path, {
    as: { role: 'operator' },
    answers: {
      'post /api/v1/messages/get-batches': { batches: [], next_cursor: null },
      'get /api/v1/admin/bots': { bots: [bot()], next_cursor: null },
      'get /api/v1/admin/templates': { templates: [template({ status: 'approved' })], next_cursor: null },
      'post /api/v1/messages/get-threads': ({ body }) => {
        type Asked = { phones?: string[]; thread_ids?: string[]; opted_out?: boolean };
        const { phones = [], thread_ids, opted_out } = body as Asked;
        const isMeant = thread_ids?.includes(ID) === true && opted_out !== !thread.opted_out;
        return {
          ...{ threads: isMeant ? [thread] : [], not_found: phones, not_found_user_ids: [] },
          ...{ has_more: false, next_cursor: null },
        };
      },
      'post /api/v1/messages/send-template': {
        ...{ batch_id: 'batch-1', total: 1, sent: 1, failed: 0, queued: 0, unknown: 0, results: [] },
      },
      'post /api/v1/messages/get-batch': {
        ...{ batch_id: 'batch-1', total: 1, sent: 1, failed: 0, queued: 0, unknown: 0, results: [] },
      },
    },
  });
}

async function choose(user: ReturnType<typeof open>['user']): Promise<void> {
  const template = await screen.findByRole('combobox', { name: 'Template' });
  await waitFor(() => expect(template.hasAttribute('disabled')).toBe(false));
  await user.type(template, 'par');
  await user.click(await screen.findByRole('option', { name: /parcel/ }));
}
const rows = async () => within(await screen.findByRole('list', { name: 'rows' }));

describe('the address of a dialog', () => {
  it.each([
    ['their name', { customer_name: 'Аида', username: 'aida' }, 'Аида'],
    ['their user name alone', { customer_name: null, username: 'aida' }, '@aida'],
    [
      'what is said of nobody in particular',
      { customer_name: null, username: null },
      'Customer without a name',
    ],
  ])(
    'leads to a customer without a phone, who is called by %s',
    async (_, { customer_name, username }, name) => {
      const { user } = open({ customer_name, phone: null, customer: { ...UNKNOWN, username } });
      const field = await screen.findByRole('textbox', { name: 'Recipients' });
      await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(ID));
      expect((await screen.findByText(/whose phone is not known/)).textContent).toContain(name);
      await choose(user);
      (await rows()).getByText(name);
      await user.click(screen.getByRole('button', { name: 'Send to 1 recipient' }));
      await user.click(
        within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send to 1 recipient' }),
      );
      await waitFor(() =>
        expect(bodiesOf('post')).toContainEqual(
          expect.objectContaining({ bot_id: 'bot-1', template_id: 'parcel', to: [{ thread_id: ID }] }),
        ),
      );
    },
  );

  it('leads to the phone of a customer who has one', async () => {
    open({ phone: '+77015551006' });
    const field = await screen.findByRole('textbox', { name: 'Recipients' });
    await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe('+77015551006'));
  });
});

it('a dialog stands among phones, once, and is left out where its customer has unsubscribed', async () => {
  const { user } = open({ phone: null, customer: { ...UNKNOWN, username: null }, opted_out: true }, '/send');
  await choose(user);
  const field = screen.getByRole('textbox', { name: 'Recipients' });
  await user.click(field);
  await user.paste(`${ID}\n+77015551006, ${ID.toUpperCase().replace('THREAD', 'thread')}`);
  const list = await rows();
  await list.findByText('unsubscribed');
  list.getByText('same phone as in line 1; unsubscribed');
  screen.getByText(/1 is ready/);
});
