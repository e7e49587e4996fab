import type { Media } from '@app/contracts/media.words';
import { ActionIcon, Progress } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { sizeLimit, uploadFile, type Upload } from '../../../shared/api/upload-call';
import { tellDone, tellError, tellFailed } from '../../../shared/notices/notice.store';
import { IconFile, IconX } from '../../../shared/ui/icons.view';
import { fileSize, percent } from '../../../shared/format/number.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from './composer.module.css';
import { composerWords } from './composer.words';
import { isolated } from '../../../shared/format/direction.format';

/** The file that goes with the next message. */
interface Attachment {
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

/** The file that goes with the message: how far it is uploaded, and the way to take it off. */
export function AttachmentView({ attachment, onRemove }: { attachment: Attachment; onRemove: () => void }) {
  const t = composerWords.use();
  const { name, size, share, media, picture } = attachment;
  const shown = isolated(name);
  return (
    <div
      className={classes.attachment}
      role="group"
      aria-label={t('attached')}
      data-uploaded={media !== null}
    >
      {picture === null ? (
        <IconFile size={20} stroke={1.5} aria-hidden />
      ) : (
        <img className={classes.picture} src={picture} alt="" />
      )}
      <div className={classes.file}>
        <CustomerText
          text={
            media === null
              ? t('uploading', { name: shown, share: percent(share) })
              : t('uploaded', { name: shown, size: fileSize(size) })
          }
          component="div"
        />
        {media === null && (
          <Progress
            value={share * 100}
            size="sm"
            aria-label={t('uploading', { name, share: percent(share) })}
          />
        )}
      </div>
      <ActionIcon variant="subtle" color="gray" aria-label={t('removeFile', { name })} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
