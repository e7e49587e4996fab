import type { SessionClient } from '../../support/clients/session.client';
import { gupshupTokenOf } from '../../support/clients/webhook.sender';
import { AccountFixture } from '../../support/database/fixture';
import { SECRETS } from '../../support/programs/server.process';
import { setPeopleScene } from '../../support/scenes/people.scene';

const scene = setPeopleScene();

const NUMBERS = [
  [
    'waba',
    {
      sender: '77015550100',
      credential: 'gupshup-api-key-1',
      settings: { app_id: 'a1a1a1a1-0000-4000-8000-000000000001', app_name: 'ClinicApp' },
    },
  ],
  [
    'waba_coexistence',
    { sender: '106540352242922', credential: 'EAAGtoken', settings: { waba_id: '102290129340398' } },
  ],
] as const;

let bot: string;
let other: AccountFixture;

beforeAll(async () => {
  other = await AccountFixture.create(scene.database.pool);
  bot = await scene.account.addBot();
  for (const [channel, number] of NUMBERS)
    expect((await scene.admin.admin('PUT', `bots/${bot}/channels/${channel}`, number)).status).toBe(200);
});

/** What a person reads of bots, everywhere. */
const readBy = async (person: SessionClient) => {
  const one = await person.call(`admin/bots/${bot}`);
  const all = await person.call('admin/bots?limit=200');
  const listed = (all.body.data.bots as { id: string; channels: { webhook_url: string | null }[] }[]).find(
    ({ id }) => id === bot,
  );
  expect(listed).toEqual(one.body.data);
  return { urls: listed?.channels.map(({ webhook_url: url }) => url), text: one.text + all.text };
};

describe('the addresses that providers call', () => {
  it('are shown to an admin of the account with the token of that bot, never with that of all bots', async () => {
    const { urls, text } = await readBy(await scene.join({ role: 'admin' }));
    expect(urls?.toSorted()).toEqual([
      `http://localhost:0/webhooks/gupshup/${bot}?token=${gupshupTokenOf(bot)}`,
      'http://localhost:0/webhooks/whatsapp',
    ]);
    const ofAll = await scene.admin.admin('GET', 'bots?limit=200');
    expect(text + ofAll.text).not.toContain(SECRETS.GUPSHUP_WEBHOOK_TOKEN);
  });

  it.each(['all agents', 'one agent'])('are shown to no operator of %s', async (of) => {
    const agents = of === 'one agent' ? { assistant_ids: [scene.account.assistantId] } : {};
    const { urls, text } = await readBy(await scene.join({ role: 'operator', ...agents }));
    expect(urls).toEqual([null, null]);
    for (const secret of [SECRETS.GUPSHUP_WEBHOOK_TOKEN, gupshupTokenOf(bot), 'token='])
      expect(text).not.toContain(secret);
  });

  it('are not shown to people of another account', async () => {
    const stranger = await scene.join({ account_id: other.id, role: 'admin' });
    expect((await stranger.call(`admin/bots/${bot}`)).status).toBe(404);
    expect((await stranger.call('admin/bots?limit=200')).text).not.toContain(bot);
  });
});
