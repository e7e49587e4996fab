/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { AccountAnswer, UserAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  card,
  fill,
  IDS,
  openPage,
  person,
  refused,
  screen,
  waitFor,
  within,
  type Answers,
} from '../../../../testing/page-harness';

const open = (search: string, answers: Answers = {}, users: UserAnswer[] = [person()]) =>
  openPage(`/settings/users?${search}`, {
    answers: { 'get /api/v1/admin/users': { users, next_cursor: null }, ...answers },
  });

const account: AccountAnswer = {
  ...{ id: IDS.account, name: 'Harbour Coffee', automation_paused: false, second_factor_required: false },
  ...{
    retention_days: null,
    default_country: null,
    ...{
      timezone: 'UTC',
      opening_hours: null,
      takeover_end: 'ask',
      transcription: true,
      assign_on_reply: true,
      opt_out_words: [],
      opt_in_words: [],
    },
    monthly_message_quota: null,
    quota_used: 0,
    quota_reset_at: '2026-04-01T00:00:00Z',
  },
  ...{ media_quota_bytes: null, media_used_bytes: 0 },
};
const KEPT = { 'get /api/v1/admin/accounts/{id}': account } as const;

const gone = person({
  id: 'user-2',
  name: 'Марат',
  email: 'marat@example.com',
  role: 'operator',
  second_factor: true,
});

describe('people in the settings', () => {
  it('say at its field that somebody has an e-mail address already', async () => {
    const { user } = open('id=new', { 'post /api/v1/admin/users': refused('EMAIL_TAKEN', { status: 409 }) });
    fill(await screen.findByLabelText(/^Name/), 'Двойник');
    fill(screen.getByLabelText(/^E-mail/), 'aigerim@example.com');
    await user.click(screen.getAllByRole('button', { name: 'Invite' }).at(-1)!);
    await waitFor(() => expect(screen.getByLabelText(/^E-mail/).getAttribute('aria-invalid')).toBe('true'));
    expect(screen.getAllByText('Somebody has this e-mail address already.').length).toBeGreaterThan(0);
    expect(bodiesOf('post')).toEqual([
      ...[
        {
          name: 'Двойник',
          email: 'aigerim@example.com',
          role: 'operator',
          locale: 'en',
          assistant_ids: null,
        },
      ],
    ]);
  });

  it('want a name and an address before the server is asked', async () => {
    const { user } = open('id=new');
    await screen.findByLabelText(/^Name/);
    await user.click(screen.getAllByRole('button', { name: 'Invite' }).at(-1)!);
    await screen.findByText('Give a name.');
    await screen.findByText('Give an e-mail address.');
    expect(bodiesOf('post')).toEqual([]);
  });

  it('warn at the choice of agents that an operator of none sees no dialog', async () => {
    const { user } = open('id=new');
    await user.click(await screen.findByRole('radio', { name: 'Only these' }));
    await screen.findByText('No agent is ticked: the person sees no dialog.');
    await user.click(screen.getByRole('checkbox', { name: 'agent' }));
    await waitFor(() => expect(screen.queryByText(/^No agent is ticked/)).toBeNull());
  });

  it('explain why the last admin can neither be disabled nor made an operator', async () => {
    const { user } = open(`id=${IDS.person}`, {
      'patch /api/v1/admin/users/{id}': refused('LAST_ADMIN', { status: 409 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Disable' }));
    const question = await screen.findByRole('dialog', { name: 'Disable this person?' });
    await user.click(within(question).getByRole('button', { name: 'Disable' }));
    await waitFor(() =>
      expect(screen.getAllByText(/Make somebody else an admin first\./).length).toBeGreaterThan(0),
    );
    expect(bodiesOf('patch')).toEqual([{ disabled: true }]);
  });

  it.each([
    ['Disable', 'Disable this person?', 'The person is disabled.', 'patch /api/v1/admin/users/{id}'],
    [
      'End all sessions',
      'End all sessions of this person?',
      'All sessions are ended.',
      'delete /api/v1/admin/users/{id}/sessions',
    ],
    [
      'Take the second factor away',
      'Take the second factor away?',
      'The second factor is taken away.',
      'patch /api/v1/admin/users/{id}',
    ],
  ] as const)('are asked about once more: %s', async (action, title, done, route) => {
    const { user, calls } = open('id=user-2', { [route]: route.startsWith('delete') ? {} : gone }, [
      person(),
      gone,
    ]);
    await user.click(await screen.findByRole('button', { name: action }));
    const question = await screen.findByRole('dialog', { name: title });
    expect(calls.some((call) => call.route === route)).toBe(false);
    await user.click(within(question).getByRole('button', { name: action }));
    await screen.findByText(done);
    expect(calls.filter((call) => call.route === route)).toHaveLength(1);
  });
});

describe('the settings of the account', () => {
  it('have the country in which phones of files are read', async () => {
    const { user } = open('id=account', {
      ...KEPT,
      'patch /api/v1/admin/accounts/{id}': { ...account, default_country: 'KZ' },
    });
    await user.type(await screen.findByRole('combobox', { name: 'Country of phones' }), 'Kaz');
    await user.click(await screen.findByRole('option', { name: 'Kazakhstan' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The settings of the account are saved.');
    expect(bodiesOf('patch')).toEqual([{ default_country: 'KZ' }]);
  });

  it('have the clock of the agents, and words by which customers opt out and in', async () => {
    const changed = { timezone: 'Asia/Almaty', opt_out_words: ['хватит'], opt_in_words: ['let’s go'] };
    const { user } = open('id=account', {
      ...KEPT,
      'patch /api/v1/admin/accounts/{id}': { ...account, ...changed },
    });
    const zone = await screen.findByRole('combobox', { name: 'Time zone' });
    await user.clear(zone);
    await user.type(zone, 'Almaty');
    await user.click(await screen.findByRole('option', { name: 'Asia/Almaty' }));
    await user.type(
      screen.getByLabelText('Your own words for unsubscribing', { selector: 'input' }),
      'хватит{Enter}',
    );
    await user.type(
      screen.getByLabelText('Your own words for subscribing again', { selector: 'input' }),
      'let’s go{Enter}',
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The settings of the account are saved.');
    expect(bodiesOf('patch')).toEqual([changed]);
  });

  it('have the hours of the account, which can be taken away', async () => {
    const hours = {
      spans: [{ weekdays: [1, 2, 3, 4, 5], from: '10:00', to: '18:00' }],
      closed: ['2026-12-31'],
    };
    const { user } = open('id=account', {
      ...KEPT,
      'patch /api/v1/admin/accounts/{id}': { ...account, opening_hours: hours },
    });
    const choice = await screen.findByRole('combobox', { name: 'Opening hours' });
    await user.selectOptions(choice, 'these hours');
    fill(screen.getByLabelText('From'), '10');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('A time such as 09:00.');
    fill(screen.getByLabelText('From'), '10:00');
    fill(screen.getByLabelText('Closed dates'), '2026-12-31');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The settings of the account are saved.');
    await user.selectOptions(choice, 'not set');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bodiesOf('patch')).toEqual([{ opening_hours: hours }, { opening_hours: null }]),
    );
  });

  it('say at its field which words cannot be those of an account', async () => {
    const { user } = open('id=account', {
      ...KEPT,
      'patch /api/v1/admin/accounts/{id}': refused('VALIDATION_ERROR', {
        details: [{ path: 'opt_out_words', message: 'must be an array of at most 50 strings' }],
      }),
    });
    const words = await screen.findByLabelText('Your own words for unsubscribing', { selector: 'input' });
    await user.type(words, '🛑{Enter}');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(words.getAttribute('aria-invalid')).toBe('true'));
  });

  it('hold the automation, and change nothing else of it', async () => {
    const { user } = open('id=account', {
      ...KEPT,
      'patch /api/v1/admin/accounts/{id}': { ...account, automation_paused: true },
    });
    await user.click(await screen.findByLabelText('Hold the automation'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('The settings of the account are saved.');
    expect(bodiesOf('patch')).toEqual([{ automation_paused: true }]);
  });

  it('ask once more before old dialogs are erased by themselves', async () => {
    const { user } = open('id=account', KEPT);
    fill(await screen.findByLabelText(/^Erase dialogs after so many days/), '1095');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const question = await screen.findByRole('dialog', { name: 'Erase old dialogs?' });
    within(question).getByText(/1,095 days/);
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(bodiesOf('patch')).toEqual([]);
  });

  it('know how long dialogs may be kept', async () => {
    const { user } = open('id=account', KEPT);
    fill(await screen.findByLabelText(/^Erase dialogs after so many days/), '36501');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('From 1 to 36,500, or empty.');
    expect(bodiesOf('patch')).toEqual([]);
  });
});

describe('the rights of a customer', () => {
  const FOUND = {
    'post /api/v1/messages/get-threads': { threads: [], next_cursor: null, total: 0 },
    'get /api/v1/admin/accounts/{id}': { ...account, default_country: 'KZ' },
  } as unknown as Answers;

  it.each([
    ['+7 701 555 07 77', ['+77015550777']],
    ['7(701)555-07-77', ['+77015550777']],
    ['8 701 555 07 77', ['+77015550777']],
    ['\u202a+44 (0)7911 123456\u202c', ['+447911123456']],
    // Nobody can have it, but a dialog may.
    ['+7 703 555 07 77', ['+77035550777']],
  ])('are asked for by phone, however it is written: %s', async (typed, phones) => {
    const { user } = open('id=customer', FOUND);
    fill(await screen.findByLabelText(/^Phone of the customer/), typed);
    await user.click(screen.getByRole('button', { name: 'Find' }));
    await screen.findByText('There is no dialog of this customer.');
    expect(bodiesOf('post')).toEqual([{ phones, limit: 200 }]);
  });

  it('are those of the dialog that was asked for, and of all others of the same customer', async () => {
    const [asked, second, third] = [1, 2, 3].map((n) => `thread_01930000-0000-7000-8005-00000000000${n}`) as [
      string,
      string,
      string,
    ];
    const dialogs = [
      card({ thread_id: asked, customer_name: 'Asked', same_customer: [third] }),
      card({ thread_id: second, customer_name: 'By the phone' }),
      card({ thread_id: third, customer_name: 'The same', phone: null, same_customer: [asked] }),
    ];
    const { user } = open('id=customer', {
      'post /api/v1/messages/get-threads': ({ body }) => {
        const { thread_ids: ids = [second] } = body as { thread_ids?: string[] };
        return {
          threads: dialogs
            .filter(({ thread_id: id }) => ids.includes(id))
            .map((one) => ({ ...one, url: '', last_message: null })),
          ...{ not_found: [], not_found_user_ids: [], has_more: false, next_cursor: null },
        };
      },
    });
    fill(
      await screen.findByLabelText(/^Phone of the customer/),
      `https://leads.example.com/dialogs/${asked}`,
    );
    await user.click(screen.getByRole('button', { name: 'Find' }));
    await screen.findByRole('article', { name: 'Asked' });
    const names = screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));
    expect(names).toEqual(['Asked', 'By the phone', 'The same']);
  });

  it('are not asked for by what is neither a phone nor a link', async () => {
    const { user } = open('id=customer');
    fill(await screen.findByLabelText(/^Phone of the customer/), 'Aida');
    await user.click(screen.getByRole('button', { name: 'Find' }));
    await screen.findByText('Give a phone with the country code, or the link to a dialog.');
    expect(bodiesOf('post')).toEqual([]);
  });
});
