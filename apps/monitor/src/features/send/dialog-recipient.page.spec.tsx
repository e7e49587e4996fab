/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Card } from '@app/contracts/board-events';
import type { ReactNode } from 'react';
import {
  NO_ANSWER,
  bodiesOf,
  bot,
  card,
  openPage,
  refused,
  screen,
  template,
  waitFor,
  within,
} from '../../../testing/page-harness';

// Files need a worker and styles, which are proven in a browser.
jest.mock('./recipients/csv-file.view', () => ({ CsvRecipients: () => null }));
// Which rows are drawn is a matter of their place, which is proven in a browser.
jest.mock('./recipients/virtual-rows.view', () => ({
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

function open(
  given: Partial<Card>,
  path = `/send?thread=${ID}`,
  others: Partial<Card>[] = [],
  channel: 'waba' | 'waba_coexistence' = 'waba_coexistence',
  isDown = () => false,
) {
  let sent = 0;
  const batch = (batch_id: string) => ({
    ...{ batch_id, total: 1, sent: 1, failed: 0, queued: 0, unknown: 0, results: [] },
  });
  const all = [{ thread_id: ID, ...given }, ...others].map((each) => ({
    ...card(each),
    ...{ url: '', last_message: null },
  }));
  return openPage(path, {
    as: { role: 'operator' },
    answers: {
      'post /api/v1/messages/get-batches': { batches: [], next_cursor: null },
      'get /api/v1/admin/bots': { bots: [bot({ channel })], next_cursor: null },
      'get /api/v1/admin/templates': {
        templates: [template({ status: 'approved', channel })],
        next_cursor: null,
      },
      'post /api/v1/messages/get-threads': ({ body }) => {
        if (isDown()) return NO_ANSWER;
        type Asked = { phones?: string[]; thread_ids?: string[]; opted_out?: boolean };
        const { phones = [], thread_ids = [], opted_out } = body as Asked;
        const details = thread_ids.flatMap((id, n) =>
          all.some(({ thread_id }) => thread_id === id) ? [] : [{ path: `thread_ids[${n}]`, message: 'no' }],
        );
        if (details.length > 0) return refused('THREAD_NOT_FOUND', { status: 404, details });
        const threads = all.filter(
          (each) => thread_ids.includes(each.thread_id) && opted_out !== !each.opted_out,
        );
        return {
          ...{ threads, not_found: phones, not_found_user_ids: [] },
          ...{ has_more: false, next_cursor: null },
        };
      },
      'post /api/v1/messages/send-template': () => batch(`batch-${(sent += 1)}`),
      'post /api/v1/messages/get-batch': ({ body }) => batch((body as { batch_id: string }).batch_id),
    },
  });
}

async function choose(user: ReturnType<typeof open>['user']): Promise<void> {
  const template = await screen.findByRole('combobox', { name: 'Template' });
  await waitFor(() => expect(template.hasAttribute('disabled')).toBe(false));
  await user.type(template, 'par');
  await user.click(await screen.findByRole('option', { name: /parcel/ }));
}
async function list(user: ReturnType<typeof open>['user'], text: string): Promise<void> {
  await choose(user);
  await user.click(screen.getByRole('textbox', { name: 'Recipients' }));
  await user.paste(text);
}
async function sendToOne(user: ReturnType<typeof open>['user']): Promise<void> {
  const name = 'Send to 1 recipient';
  const send = await screen.findByRole('button', { name });
  await waitFor(() => expect(send.hasAttribute('disabled')).toBe(false));
  await user.click(send);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
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
      await sendToOne(user);
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
  await list(user, `${ID}\n+77015551006, ${ID.toUpperCase().replace('THREAD', 'thread')}`);
  const shown = await rows();
  await shown.findByText('unsubscribed');
  shown.getByText('same phone as in line 1; unsubscribed');
  screen.getByText(/1 is ready/);
});

it('a customer who is named by phone and by dialog is sent to once', async () => {
  const { user } = open({ phone: '+77015551006' }, '/send');
  await list(user, `+77015551006\n${ID}`);
  await (await rows()).findByText('same phone as in line 1');
  await sendToOne(user);
  await waitFor(() =>
    expect(bodiesOf('post')).toContainEqual(
      expect.objectContaining({ to: [{ phone: '+77015551006' }], earlier_batch_ids: [] }),
    ),
  );
});

it('duplicates go out where the person wants them to', async () => {
  const { user } = open({ phone: '+77015551006' }, '/send');
  await list(user, `+77015551006\n${ID}`);
  await user.click(await screen.findByRole('checkbox', { name: 'Leave duplicates out' }));
  const name = 'Send to 2 recipients';
  await user.click(await screen.findByRole('button', { name }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
  const to = [{ phone: '+77015551006' }, { thread_id: ID }];
  await waitFor(() => expect(bodiesOf('post')).toContainEqual(expect.objectContaining({ to })));
  for (const body of bodiesOf('post')) expect(body).not.toHaveProperty('earlier_batch_ids');
});

it('a list that goes in parts names those before, for no dialog is sent to by two of them', async () => {
  const { user } = open({}, '/send');
  await list(user, Array.from({ length: 150 }, (_, n) => `+7701555${String(1_000 + n)}`).join('\n'));
  const name = 'Send to 150 recipients';
  const send = await screen.findByRole('button', { name });
  await waitFor(() => expect(send.hasAttribute('disabled')).toBe(false));
  await user.click(send);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
  const parts = (): unknown[] =>
    bodiesOf('post').flatMap((body) => {
      const { to, earlier_batch_ids } = body as { to?: unknown[]; earlier_batch_ids?: string[] };
      return to ? [[to.length, earlier_batch_ids]] : [];
    });
  await waitFor(() =>
    expect(parts()).toEqual([
      [100, []],
      [50, ['batch-1']],
    ]),
  );
});

it('a dialog that cannot be sent to is a fault of its row, and keeps nobody else from being looked at', async () => {
  const [unknown, foreign, gone, left] = [2, 3, 4, 5].map((n) => `${ID.slice(0, -1)}${n}`);
  const { user } = open({}, '/send', [
    { thread_id: foreign, bot_id: 'bot-2', phone: '+77015551003' },
    { thread_id: gone, erased_at: '2026-03-02T08:00:00.000Z', phone: null },
    { thread_id: left, opted_out: true, phone: '+77015551005' },
  ]);
  await list(user, [ID, unknown, foreign, gone, left].join('\n'));
  const shown = await rows();
  await shown.findByText('there is no such dialog');
  shown.getByText('the dialog is of another number');
  shown.getByText('the customer of the dialog was erased');
  shown.getByText('unsubscribed');
  screen.getByText(/1 is ready · 3 with faults · 1 unsubscribed/);
});

it('a dialog without a phone cannot be sent to by a number that sends to phones only', async () => {
  const { user } = open({ phone: null, channel: 'WABA' }, '/send', [], 'waba');
  await list(user, ID);
  await (await rows()).findByText('the customer has no phone, and this number sends to phones only');
});

it('nothing is sent while it is not known who has unsubscribed', async () => {
  let isDown = true;
  const { user } = open({}, '/send', [], 'waba_coexistence', () => isDown);
  await list(user, '+77015551006');
  await screen.findByText(/Who has unsubscribed could not be found out/);
  const send = screen.getByRole('button', { name: 'Send to 1 recipient' });
  expect(send.hasAttribute('disabled')).toBe(true);
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(send.hasAttribute('disabled')).toBe(false));
});
