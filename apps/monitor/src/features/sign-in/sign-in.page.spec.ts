/** @jest-environment ./apps/monitor/testing/page.environment.js */
import {
  bodiesOf,
  fill,
  IDS,
  openPage,
  refused,
  screen,
  signedIn,
  waitFor,
  type Answers,
  type Refusal,
} from '../../../testing/page-harness';

// Nothing is scrolled without a screen.
jest.mock('@atlaskit/pragmatic-drag-and-drop-auto-scroll/element', () => ({
  autoScrollForElements: () => () => undefined,
}));

const NOBODY = refused('UNAUTHORIZED', { status: 401 });

const open = (path: string, answers: Answers) =>
  openPage(path, { as: null, answers: { 'get /api/v1/auth/me': NOBODY, ...answers } });

/** Types both, and Enter. */
async function signIn(given: Refusal | ReturnType<typeof signedIn>, search = '') {
  const opened = open(`/sign-in${search}`, { 'post /api/v1/auth/sign-in': given });
  const email = await screen.findByLabelText(/^E-mail/);
  await waitFor(() => expect(document.activeElement).toBe(email));
  fill(email, 'aigerim@example.com');
  fill(screen.getByLabelText(/^Password/), 'a quiet blue river');
  opened.answer({ 'get /api/v1/auth/me': signedIn() });
  await opened.user.keyboard('{Enter}');
  return opened;
}

describe('the way in', () => {
  it('begins at the e-mail, and says of a wrong password no more than it must', async () => {
    await signIn(refused('SIGN_IN_FAILED', { status: 401 }));
    await screen.findByText('The e-mail address or the password is wrong.');
    expect(bodiesOf('post')).toEqual([{ email: 'aigerim@example.com', password: 'a quiet blue river' }]);
  });

  it('says after too many tries when to go on', async () => {
    await signIn(refused('RATE_LIMITED', { status: 429, retryAfter: 61 }));
    await screen.findByText(/^Too many tries\. Try again in 2 min/);
  });

  it.each(['https://example.com/', '//example.com/', '/\\example.com', 'javascript:alert(1)'])(
    'leads nowhere but to this page: %s',
    async (to) => {
      await signIn(signedIn(), `?to=${encodeURIComponent(to)}`);
      await waitFor(() => expect(location.pathname).toBe(`/board/${IDS.agent}`));
    },
  );
});

describe('an invitation', () => {
  const accept = async (given: Refusal) => {
    const opened = open('/invitation#AAAA', { 'post /api/v1/auth/accept-invitation': given });
    fill(await screen.findByLabelText(/^New password/), 'a quiet blue river');
    await opened.user.keyboard('{Enter}');
    return opened;
  };

  it('that is used or void says so, and whom to ask', async () => {
    await accept(refused('INVITATION_NOT_FOUND', { status: 404 }));
    await screen.findByText('This link is used, void or out of date. Ask an admin for a new one.');
  });

  it('of a person with a second factor asks for its code too', async () => {
    const { user, answer } = await accept(refused('CODE_REQUIRED', { status: 401 }));
    const code = await screen.findByLabelText(/^Code of your authenticator app/);
    answer({ 'post /api/v1/auth/accept-invitation': refused('SIGN_IN_FAILED', { status: 401 }) });
    fill(code, ' 123456 ');
    await user.keyboard('{Enter}');
    await screen.findByText(/^The code is wrong\./);
    expect(bodiesOf('post').at(-1)).toEqual({
      ...{ token: 'AAAA', password: 'a quiet blue river', code: '123456' },
    });
  });
});
