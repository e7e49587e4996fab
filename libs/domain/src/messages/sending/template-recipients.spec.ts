import type {
  AddressedThread,
  ThreadChannelRepository,
} from '@app/persistence/messages/sending/thread-channel.repository';
import type { Principal } from '../../accounts/principal.rules';
import { TemplateRecipients, type AskedRecipient } from './template-recipients.service';

const BOT_ID = '0192f0c4-7b7e-7cc2-9a3e-3f0d2b1a9c01';
const [KNOWN, ERASED, ERASED_TOO] = [1, 2, 3].map((n) => `0192f0c4-7b7e-7cc2-9a3e-3f0d2b1a9c1${n}`) as [
  string,
  string,
  string,
];

const thread = (id: string, erasedAt: Date | null): AddressedThread => ({
  ...{ id, bot_id: BOT_ID, channel: 'waba_coexistence', contact: '+77010000001', recipient: '+77010000001' },
  erased_at: erasedAt,
});
const rows = [thread(KNOWN, null), thread(ERASED, new Date()), thread(ERASED_TOO, new Date())];
const threads = { findMany: async () => rows } as unknown as ThreadChannelRepository;
const by = { accountId: BOT_ID, assistantIds: [] } as unknown as Principal;

const find = (to: AskedRecipient | AskedRecipient[]) =>
  new TemplateRecipients(threads).find(by, {
    ...{ botId: BOT_ID, channel: 'waba_coexistence', byDialog: false, to },
  });
const named = (id: string) => ({ threadId: `thread_${id}` }) as AskedRecipient;

it('a list names the places of its erased dialogs', async () => {
  const list = [named(KNOWN), named(ERASED), named(KNOWN), named(ERASED_TOO), named(ERASED)];
  await expect(find(list)).rejects.toMatchObject({
    code: 'THREAD_ERASED',
    details: [1, 3, 4].map((place) => ({ path: `to[${place}].thread_id` })),
  });
});

it('an erased dialog that is the only recipient needs no place', async () => {
  await expect(find(named(ERASED))).rejects.toMatchObject({ code: 'THREAD_ERASED', details: undefined });
});
