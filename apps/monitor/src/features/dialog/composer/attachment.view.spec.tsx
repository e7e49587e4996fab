/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Media } from '@app/contracts/media.words';
import { openView, screen, waitFor } from '../../../../testing/page-harness';
import { AttachmentView, useAttachment } from './attachment.view';

const uploaded = jest.fn<void, [Media]>();
const abort = jest.fn();
jest.mock('../../../shared/api/upload-call', () => ({
  ...jest.requireActual<object>('../../../shared/api/upload-call'),
  uploadFile: () => ({ abort, done: new Promise<Media>((resolve) => uploaded.mockImplementation(resolve)) }),
}));

function Attaching({ files }: { files: File[] }) {
  const { attachment, attach, remove } = useAttachment();
  return (
    <>
      <button type="button" onClick={() => attach(files)}>
        Attach
      </button>
      {attachment && <AttachmentView attachment={attachment} onRemove={remove} />}
    </>
  );
}

const fileOf = (name: string, type: string): File => new File(['bytes'], name, { type });
const pictures = (): (string | null)[] =>
  [...document.querySelectorAll('img')].map((picture) => picture.getAttribute('src'));

describe('a file that is not sent yet', () => {
  const kept = new Set<string>();
  beforeEach(() => {
    kept.clear();
    URL.createObjectURL = (file) => {
      const address = `blob:${(file as File).name}`;
      kept.add(address);
      return address;
    };
    URL.revokeObjectURL = (address) => void kept.delete(address);
  });

  const open = async (file: File): Promise<void> => {
    openView(<Attaching files={[file]} />);
    (await screen.findByRole('button', { name: 'Attach' })).click();
    await screen.findByRole('group', { name: 'Attached file' });
  };

  it('is shown small where it is a picture, while it is uploaded and then, until it is taken off', async () => {
    await open(fileOf('cup.png', 'image/png'));
    expect(pictures()).toEqual(['blob:cup.png']);
    uploaded({ id: 'media-1' } as Media);
    await screen.findByText(/cup\.png.*, 0 kB/);
    expect([pictures(), [...kept]]).toEqual([['blob:cup.png'], ['blob:cup.png']]);
    screen.getByRole('button', { name: /cup\.png/ }).click();
    await waitFor(() => expect(pictures()).toEqual([]));
    expect([...kept]).toEqual([]);
    expect(abort).toHaveBeenCalledTimes(1);
  });

  it('has a sign in place of a picture where it is none', async () => {
    await open(fileOf('price.pdf', 'application/pdf'));
    expect([pictures(), [...kept]]).toEqual([[], []]);
  });
});
