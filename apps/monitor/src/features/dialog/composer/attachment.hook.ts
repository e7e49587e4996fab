import type { Media } from '@app/contracts/media.words';
import { useEffect, useRef, useState } from 'react';
import { isolated } from '../../../shared/format/direction.format';
import { fileSize } from '../../../shared/format/number.format';
import { tellDone, tellError, tellFailed } from '../../../shared/notices/notice.store';
import { composerWords } from './composer.words';
import { sizeLimit, uploadFile, type Upload } from '../../../shared/api/upload-call';

/** The file that goes with the next message. */
export interface Attachment {
  name: string;
  size: number;
  /** How much of it is uploaded, of 1. */
  share: number;
  /** Null until it is uploaded whole. */
  media: Media | null;
  /** Where the page has it, if it is a picture. */
  picture: string | null;
}

export interface Attaching {
  attachment: Attachment | null;
  attach: (files: FileList | readonly File[]) => void;
  remove: () => void;
  /** A file that is there already, such as that of a message that did not go out. */
  restore: (media: Media) => void;
}

/** Uploads the file that a person chose, dropped or pasted. */
export function useAttachment(): Attaching {
  const t = composerWords.use();
  const [attachment, setAttachment] = useState<Attachment | null>(null);
  const upload = useRef<Upload | null>(null);
  const picture = useRef<string | null>(null);
  const stop = (): void => {
    upload.current?.abort();
    upload.current = null;
    if (picture.current !== null) URL.revokeObjectURL(picture.current);
    picture.current = null;
  };
  useEffect(() => stop, []);

  const attach = (files: FileList | readonly File[]): void => {
    const [file] = files;
    if (!file) return;
    const limit = sizeLimit(file);
    if (file.size === 0) return void tellFailed(t('emptyFile', { name: isolated(file.name) }));
    if (file.size > limit)
      return void tellFailed(t('tooLarge', { name: isolated(file.name), limit: fileSize(limit) }));
    if (files.length > 1) tellDone(t('oneFile'));
    stop();
    picture.current = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
    const given = { name: file.name, size: file.size, media: null, picture: picture.current };
    setAttachment({ ...given, share: 0 });
    const own = uploadFile(file, (share) => {
      if (upload.current === own) setAttachment({ ...given, share });
    });
    upload.current = own;
    own.done.then(
      (media) => {
        if (upload.current === own) setAttachment({ ...given, share: 1, media });
      },
      (error: unknown) => {
        if (upload.current !== own) return;
        setAttachment(null);
        tellError(error, { detail: t('fileRefused', { name: isolated(file.name) }) });
      },
    );
  };

  return {
    attachment,
    attach,
    remove: () => {
      stop();
      setAttachment(null);
    },
    restore: (media) =>
      setAttachment({
        ...{ name: media.file_name ?? '', size: media.size ?? 0, share: 1, media },
        picture: media.kind === 'image' ? media.url : null,
      }),
  };
}
