import type { SenderOwner } from '@app/persistence/messages/sending/channel-connection.repository';
import type { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import type { ChannelConnections } from '../messages/sending/channel-connections.service';
import { ForeignBusinessError, ForeignSignatureError, WebhookSources } from './webhook-source';

const OURS = 'account/bot/waba_coexistence/10001';

/** Who has the number 10001 by now. */
function open(identity: string) {
  const owner = { accountId: 'account', botId: 'bot', businessId: '70001', identity } as SenderOwner;
  const connections = { bySender: async () => ({ ...owner, optOutWords: [], optInWords: [] }) };
  const sources = new WebhookSources(
    connections as unknown as ChannelConnections,
    {} as WebhookChannelRepository,
  );
  const signedFor = (signed_for: string[] | null) =>
    sources.together()({ provider: 'cloud', bot_id: null, signed_for });
  return { signedFor };
}

it('what an app of the installation signed may tell of every number', async () => {
  const number = open(OURS).signedFor(null).within('70001').receivingNumberOf('10001');
  expect(await number).toMatchObject({ botId: 'bot' });
});

it('what a number’s own app signed may tell of that number, as far as its business account may', async () => {
  const source = open(OURS).signedFor(['another', OURS]);
  expect(await source.within('70001').receivingNumberOf('10001')).toMatchObject({ botId: 'bot' });
  await expect(source.within('70002').receivingNumberOf('10001')).rejects.toThrow(ForeignBusinessError);
});

it.each(['other/bot/waba_coexistence/10001', 'account/other/waba_coexistence/10001'])(
  'it may not once the number is another bot’s or account’s: %s',
  async (identity) => {
    const source = open(identity).signedFor([OURS]);
    for (const each of [source, source.within('70001'), source.within(null)])
      await expect(each.receivingNumberOf('10001')).rejects.toThrow(ForeignSignatureError);
  },
);
