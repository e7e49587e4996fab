import type { MediaKind } from '@app/contracts/media.words';
import type { Principal } from '../../accounts/principal.rules';
import type { Principals } from '../../accounts/principals.service';
import type { OpenChannel } from './channel-connections.service';
import { FileGiving, type OutgoingFile } from './file-giving.service';
import type { GivenFile, MessageSenders } from '../dispatch/message-sender.port';

const OPEN = { connection: { channel: 'waba' } } as OpenChannel;
const BY = { accountId: 'account' } as Principal;
const REFUSED: GivenFile = {
  ...{ kind: 'failed', code: 'PROVIDER_ERROR', message: 'No such type', response: 'no' },
  ...{ isFinal: true, providerCode: 100 },
};
const GIVEN: GivenFile = { kind: 'given', media: { id: 'm1' } };

/** Gives a file to a provider with these answers. */
function give(answers: readonly GivenFile[], kind: MediaKind = 'document', caption = '') {
  const asked: OutgoingFile[] = [];
  const sender = {
    giveFile: async (_: unknown, file: OutgoingFile) => answers[asked.push(file) - 1],
  };
  const senders = { of: () => sender } as unknown as MessageSenders;
  const giving = new FileGiving(senders, {} as Principals);
  const file = { id: 'f1', kind } as OutgoingFile;
  return { asked, given: giving.give(BY, OPEN, file, caption) };
}

const refusalOf = async (work: Promise<unknown>): Promise<object> =>
  work.then(
    () => ({ refused: false }),
    (error: object) => error,
  );

it.each<MediaKind>(['audio', 'voice', 'sticker'])(
  'a file of the kind %s takes no caption, and is not given with one',
  async (kind) => {
    const { asked, given } = give([GIVEN], kind, 'words');
    expect(await refusalOf(given)).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'text' }] });
    expect(asked).toEqual([]);
    const content = { type: 'file', kind, media: { id: 'm1' }, caption: '' };
    expect(await give([GIVEN], kind).given).toEqual({ content, by: BY });
  },
);

it('a caption has 1,024 characters at most', async () => {
  expect(await give([GIVEN], 'image', 'я'.repeat(1_024)).given).toMatchObject({ by: BY });
  const { asked, given } = give([GIVEN], 'image', 'я'.repeat(1_025));
  expect(await refusalOf(given)).toMatchObject({ details: [{ path: 'text' }] });
  expect(asked).toEqual([]);
});

it('where its provider fetches files and the service has no public address, it says so', async () => {
  const { given } = give([{ kind: 'no_address' }]);
  expect(await refusalOf(given)).toMatchObject({
    ...{ code: 'VALIDATION_ERROR' },
    details: [{ path: 'media_id', message: expect.stringContaining('PUBLIC_URL') as string }],
  });
});

it('a file is given once more where its answer was lost, and no more than that', async () => {
  const lost: GivenFile = { ...REFUSED, isFinal: false };
  const again = give([lost, GIVEN]);
  expect(await again.given).toMatchObject({ by: BY });
  expect(again.asked).toHaveLength(2);
  const twice = give([lost, lost, GIVEN]);
  expect(await refusalOf(twice.given)).toMatchObject({ code: 'PROVIDER_ERROR' });
  expect(twice.asked).toHaveLength(2);
  const final = give([REFUSED, GIVEN]);
  expect(await refusalOf(final.given)).toMatchObject({ code: 'PROVIDER_ERROR' });
  expect(final.asked).toHaveLength(1);
});
