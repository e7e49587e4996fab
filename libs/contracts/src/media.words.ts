/** Kinds of files in messages. */
export const MEDIA_KINDS = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

/**
 * A file that a customer sent is `loading` until it was fetched from the provider, then `stored`; `failed` where that
 * was tried for a day in vain. One that was deleted is `gone`.
 */
export const MEDIA_STATES = ['loading', 'stored', 'failed', 'gone'] as const;

export type MediaState = (typeof MEDIA_STATES)[number];

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
  /** Where it is read, relative to the service. */
  url: string;
}
