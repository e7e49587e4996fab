/** Kinds of files in messages. */
export const MEDIA_KINDS = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Whether a file can be listened to. */
export const isAudio = (kind: MediaKind | null | undefined): boolean => kind === 'audio' || kind === 'voice';

/** Whether a file is looked at as a still picture. */
export const isPicture = (kind: MediaKind | null | undefined): boolean =>
  kind === 'image' || kind === 'sticker';

/**
 * A file that a customer sent is `loading` until it was fetched from the provider, then `stored`; `failed` where that
 * was tried for a day in vain. One that was deleted is `gone`.
 */
export const MEDIA_STATES = ['loading', 'stored', 'failed', 'gone'] as const;

export type MediaState = (typeof MEDIA_STATES)[number];

/**
 * The transcript of a customer's audio is `pending` until it is made, then `ready`; `failed` where it could not be made. Of
 * audio in which nothing is said, that is too long or too large, or that nothing transcribes, there is `none`.
 */
export const TRANSCRIPT_STATES = ['pending', 'ready', 'failed', 'none'] as const;

export type TranscriptState = (typeof TRANSCRIPT_STATES)[number];

/** Larger or longer audio is not transcribed. */
export const TRANSCRIBED_BYTES_MAX = 25 * 1024 * 1024;
export const TRANSCRIBED_SECONDS_MAX = 30 * 60;

/** What is said in a customer's audio. */
export interface Transcript {
  state: TranscriptState;
  /** Null unless it is ready. */
  text: string | null;
  /** ISO 639-1; null: not known. */
  language: string | null;
}

/** The file of a message. What is not known yet, or never will be, is null. */
export interface Media {
  id: string;
  kind: MediaKind;
  mime_type: string | null;
  file_name: string | null;
  /** In bytes. */
  size: number | null;
  /** In pixels. */
  width: number | null;
  height: number | null;
  seconds: number | null;
  /** In hexadecimal digits. */
  sha256: string | null;
  state: MediaState;
  /** Null: it is no audio of a customer. */
  transcript: Transcript | null;
  /** Where it is read, relative to the service. */
  url: string;
}
