import { ActionIcon, Progress } from '@mantine/core';
import { IconFile, IconX } from '../../../shared/ui/icons.view';
import { fileSize, percent } from '../../../shared/format/number.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import type { Attachment } from './attachment.hook';
import classes from './composer.module.css';
import { composerWords } from './composer.words';
import { isolated } from '../../../shared/format/direction.format';

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
