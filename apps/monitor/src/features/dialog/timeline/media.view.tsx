import { type Media, type Transcript, isAudio, isPicture } from '@app/contracts/media.words';
import { Loader } from '@mantine/core';
import { useState } from 'react';
import { IconFile, IconFileOff } from '../../../shared/ui/icons.view';
import { fileSize } from '../../../shared/format/number.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from './media.module.css';
import { timelineWords } from './timeline.words';

const WIDTH = 280;
const HEIGHT = 320;
const STICKER = 140;

/** The file of a message. Pictures and sounds are shown, everything else is only offered for download. */
export function MediaFile({ media }: { media: Media }) {
  const t = timelineWords.use();
  const [isBroken, setBroken] = useState(false);
  if (media.state === 'loading') return <State text={t('fileLoading')} isLoading media={media} />;
  if (media.state === 'failed') return <State text={t('fileFailed')} media={media} />;
  if (media.state === 'gone') return <State text={t('fileGone')} media={media} />;
  const name = media.file_name ?? t(media.kind);
  if (isPicture(media.kind) && !isBroken)
    return (
      <a href={media.url} target="_blank" rel="noopener noreferrer" className={classes.picture}>
        <img
          {...boxOf(media)}
          src={`${media.url}?preview=1`}
          alt={t('open', { name })}
          decoding="async"
          onError={() => setBroken(true)}
        />
      </a>
    );
  if (media.kind === 'video' && !isBroken)
    return (
      <video
        {...boxOf(media)}
        className={classes.video}
        controls
        preload="metadata"
        src={media.url}
        aria-label={name}
        onError={() => setBroken(true)}
      />
    );
  return (
    <>
      {isAudio(media.kind) && !isBroken ? (
        <audio
          className={classes.audio}
          controls
          preload="metadata"
          src={media.url}
          aria-label={name}
          onError={() => setBroken(true)}
        />
      ) : (
        <Document media={media} name={name} />
      )}
      {media.transcript && <WrittenDown transcript={media.transcript} />}
    </>
  );
}

/** What is said in audio. Of audio without a transcript nothing is told. */
function WrittenDown({ transcript: { state, text } }: { transcript: Transcript }) {
  const t = timelineWords.use();
  if (state === 'none') return null;
  const told =
    state === 'pending' ? t('transcriptPending') : state === 'failed' ? t('transcriptFailed') : null;
  return (
    <div
      className={classes.transcript}
      data-transcript-state={state}
      role="group"
      aria-label={t('transcript')}
    >
      {told === null ? <CustomerText text={text ?? ''} /> : <span className={classes.facts}>{told}</span>}
    </div>
  );
}

/** Its size before it is there, so that nothing jumps when it comes. */
function boxOf({ kind, width, height }: Media): { width: number; height: number } {
  const most = kind === 'sticker' ? STICKER : WIDTH;
  const [wide, high] = [width ?? most, height ?? (kind === 'video' ? (most * 9) / 16 : most)];
  const scale = Math.min(1, most / wide, HEIGHT / high);
  return { width: Math.max(24, Math.round(wide * scale)), height: Math.max(24, Math.round(high * scale)) };
}

function Document({ media, name }: { media: Media; name: string }) {
  const t = timelineWords.use();
  const { mime_type: type, size, url } = media;
  const facts = [type, size === null ? null : fileSize(size)].filter((fact) => fact !== null);
  return (
    <a
      href={url}
      download={media.file_name ?? ''}
      rel="noopener noreferrer"
      className={classes.document}
      aria-label={t('download', { name })}
    >
      <IconFile size={28} stroke={1.5} aria-hidden />
      <span>
        <CustomerText text={name} className={classes.name} />
        <CustomerText text={facts.join(' · ')} className={classes.facts} />
      </span>
    </a>
  );
}

function State({ text, media, isLoading = false }: { text: string; media: Media; isLoading?: boolean }) {
  const t = timelineWords.use();
  return (
    <div className={classes.document} data-media-state={media.state}>
      {isLoading ? <Loader size={24} aria-hidden /> : <IconFileOff size={28} stroke={1.5} aria-hidden />}
      <span>
        <CustomerText text={media.file_name ?? t(media.kind)} className={classes.name} />
        <span className={classes.facts}>{text}</span>
      </span>
    </div>
  );
}
