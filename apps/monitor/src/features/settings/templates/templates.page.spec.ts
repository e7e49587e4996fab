/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { GovernedTemplateAnswer, UserAnswer } from '@app/client/api-types';
import {
  bodiesOf,
  bot,
  fill,
  openPage,
  refused,
  screen,
  template,
  waitFor,
  within,
  type Answers,
} from '../../../../testing/page-harness';

const open = (
  search: string,
  templates: GovernedTemplateAnswer[] = [template()],
  answers: Answers = {},
  as: Partial<UserAnswer> = {},
) =>
  openPage(`/settings/templates?${search}`, {
    as,
    answers: {
      'get /api/v1/admin/templates': { templates, next_cursor: null },
      'get /api/v1/admin/bots': { bots: [bot()], next_cursor: null },
      ...answers,
    },
  });

const text = () => screen.findByRole('textbox', { name: /^Text/ });
const save = () => screen.getByRole('button', { name: 'Save' });

describe('templates in the settings', () => {
  it('say what WhatsApp would refuse at its field, in whichever language the page has, and ask for nothing', async () => {
    const { user } = open('id=new');
    fill(await screen.findByLabelText(/^Name at the provider/), 'gap');
    fill(await text(), 'Hello {{1}} and {{3}}, both.');
    await user.click(save());
    await screen.findByText('Variables are numbered from 1 on, without gaps.');
    expect((await text()).getAttribute('aria-invalid')).toBe('true');
    await user.click(screen.getByRole('button', { name: /, your account$/ }));
    await user.click(await screen.findByText('Русский'));
    await screen.findByText('Номера переменных идут с 1 без пропусков.');
    expect(bodiesOf('post')).toEqual([]);
  });

  it('say at its field that a name is there already', async () => {
    const { user } = open('id=new', [], {
      'post /api/v1/admin/templates': refused('ALREADY_EXISTS', { status: 409 }),
    });
    fill(await screen.findByLabelText(/^Name at the provider/), 'taken_name');
    fill(await text(), 'Hello.');
    await user.click(save());
    await screen.findByText('There is a template of this name in this language already.');
  });

  it('change by what was changed alone', async () => {
    const { user } = open('id=template-1', [template({ footer: 'Harbour' })], {
      'patch /api/v1/admin/templates/{id}': template(),
    });
    fill(await screen.findByLabelText('Footer'), '');
    await user.click(save());
    await screen.findByText('The template is saved.');
    expect(bodiesOf('patch')).toEqual([{ footer: null }]);
  });

  it('of one-time codes are made without words, and with WhatsApp’s in the preview', async () => {
    const made = template({ category: 'authentication' });
    const { user } = open('id=new', [], { 'post /api/v1/admin/templates': made });
    fill(await screen.findByLabelText(/^Name at the provider/), 'sign_in');
    await user.selectOptions(screen.getByLabelText('Category'), 'Authentication');
    expect(screen.queryByRole('textbox', { name: /^Text/ })).toBeNull();
    expect(screen.queryByRole('group', { name: 'Buttons' })).toBeNull();
    await screen.findByText(/is your verification code\. For your security/);
    await screen.findByText('This code expires in 10 minutes.');
    fill(screen.getByLabelText(/^Code is good for/), '91');
    await user.click(save());
    await screen.findByText('A whole number from 1 to 90.');
    expect(bodiesOf('post')).toEqual([]);
    fill(screen.getByLabelText(/^Code is good for/), '5');
    fill(screen.getByLabelText(/^Label of the button/), 'Copy it');
    await user.click(save());
    await screen.findByText('The template is saved.');
    expect(bodiesOf('post')).toEqual([
      {
        ...{ bot_id: 'bot-1', channel: 'waba_coexistence', name: 'sign_in', language: 'en' },
        ...{ category: 'authentication', add_security_recommendation: true, code_expiration_minutes: 5 },
        buttons: [{ type: 'otp', text: 'Copy it' }],
      },
    ]);
  });

  it('keep the file by which WhatsApp judges a header until the header goes', async () => {
    const examples = { media_id: 'media-1', body: [] };
    const picture = template({ header: { format: 'image' }, examples });
    const { user } = open('id=template-1', [picture], { 'patch /api/v1/admin/templates/{id}': picture });
    await screen.findByText('A file is uploaded');
    await user.selectOptions(screen.getByLabelText('Header'), 'None');
    await user.click(save());
    await screen.findByText('The template is saved.');
    expect(bodiesOf('patch')).toEqual([{ header: null, examples: { body: [] } }]);
  });

  it('of one-time codes stay so, and tell of their footer by what was changed alone', async () => {
    const buttons = [{ type: 'otp', otp_type: 'copy_code', text: 'Copy code' }] as const;
    const code = template({ category: 'authentication', buttons: [...buttons], code_expiration_minutes: 10 });
    const { user } = open('id=template-1', [code], { 'patch /api/v1/admin/templates/{id}': code });
    fill(await screen.findByLabelText(/^Code is good for/), '');
    expect(within(screen.getByLabelText('Category')).getAllByRole('option')).toHaveLength(1);
    await user.click(save());
    await screen.findByText('The template is saved.');
    expect(bodiesOf('patch')).toEqual([{ code_expiration_minutes: null }]);
  });

  it('tell why one was rejected, and let it be mended', async () => {
    open('id=template-1', [template({ status: 'rejected', reason: 'INVALID_FORMAT' })]);
    await screen.findByText(/^The provider says:/);
    await screen.findByText('INVALID_FORMAT');
    save();
  });

  it.each([
    ['pending', 'It cannot be changed in this state.'],
    ['approved', 'It can be sent.'],
  ] as const)('cannot be changed when %s, and say how that stands', async (status, told) => {
    open('id=template-1', [template({ status })]);
    await screen.findByText(told);
    await screen.findByText('It cannot be changed in this state.');
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('are deleted once it was asked for again', async () => {
    const { user, answer, calls } = open('id=template-1');
    await user.click(await screen.findByRole('button', { name: 'Delete the draft' }));
    const question = await screen.findByRole('dialog', { name: 'Delete the draft' });
    expect(calls.some(({ route }) => route.startsWith('delete'))).toBe(false);
    answer({
      'delete /api/v1/admin/templates/{id}': template(),
      'get /api/v1/admin/templates': { templates: [], next_cursor: null },
    });
    await user.click(within(question).getByRole('button', { name: 'Delete the draft' }));
    await screen.findByText('The draft is deleted.');
  });

  it.each([
    [0, /^Listed there: 3\. New: 2\. .* Gone: 0\.$/],
    [1, /^Listed there: 3\. New: 2\. .* Cannot be read: 1, so none counts as gone\.$/],
  ])("follow the provider's list, and count what that changed (%i unreadable)", async (unreadable, words) => {
    const { user } = open('', [], {
      'post /api/v1/admin/templates/synchronize': {
        ...{ listed: 3, unreadable, added: 2, changed: 1, disabled: 0 },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Synchronise' }));
    const question = await screen.findByRole('dialog', { name: 'Synchronise with the provider' });
    await user.click(within(question).getByRole('button', { name: 'Synchronise' }));
    await screen.findByText(words);
    expect(bodiesOf('post')).toEqual([{ bot_id: 'bot-1', channel: 'waba_coexistence' }]);
  });

  it('let operators read and nothing else', async () => {
    open('id=template-1', [template()], {}, { role: 'operator' });
    await screen.findByText('You can read the templates. Admins change them.');
    await screen.findByText('Your parcel is here.');
    for (const name of ['Save', 'New template', 'Synchronise', 'Submit to moderation'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  describe('of two numbers', () => {
    const second = bot({ channel: 'waba', sender: '77270000068' });
    const both = { ...bot(), channels: [...bot().channels, ...second.channels] };
    const TWO: Answers = { 'get /api/v1/admin/bots': { bots: [both], next_cursor: null } };

    it('are told apart by their numbers and languages', async () => {
      open('', [template()], TWO);
      const ofMeta = await screen.findByRole('list', { name: /Meta$/ });
      within(ofMeta).getByRole('link', { name: /parcel\s*English/ });
      expect(screen.queryByRole('list', { name: /Gupshup$/ })).toBeNull();
    });

    it('are filtered beside a new one, and nothing is taken of it', async () => {
      const { user } = open('id=new', [template()], TWO);
      fill(await screen.findByLabelText(/^Name at the provider/), 'kept_name');
      await user.selectOptions(screen.getByLabelText('State'), 'Draft');
      await waitFor(() => expect(location.search).toMatch(/status=draft/));
      expect(screen.getByLabelText<HTMLInputElement>(/^Name at the provider/).value).toBe('kept_name');
    });

    it.each(['waba', 'waba_coexistence'])('begin for the number that the list is of: %s', async (channel) => {
      const { user } = open(`number=${encodeURIComponent(`bot-1 ${channel}`)}`, [], TWO);
      await user.click(await screen.findByRole('button', { name: 'New template' }));
      await screen.findByLabelText(/^Name at the provider/);
      const [, ofForm] = screen.getAllByLabelText<HTMLSelectElement>(/^Number/);
      expect(ofForm?.value).toBe(`bot-1 ${channel}`);
    });
  });
});
