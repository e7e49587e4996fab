import type { MediaKind } from '@app/contracts/media.words';

/** What a sender says of a file. */
export interface ClaimedType {
  kind: MediaKind;
  mimeType: string | null;
}

/** What a file is, by its bytes. */
export interface FileFacts {
  kind: MediaKind;
  mimeType: string;
  /** Of an image or video as it is shown, in pixels; else null. */
  width: number | null;
  height: number | null;
  /** Of audio and video, where it is cheap to know. */
  seconds: number | null;
  /** Whether it is a WebP that moves. */
  isAnimated: boolean;
  /** Whether it is Ogg with Opus, as voice messages are. */
  isOpus: boolean;
}

/** Of an image that gets a preview. */
export const PREVIEWED_PIXELS_MAX = 50_000_000;

/** A picture has too many pixels, or cannot be read. */
export class NoPreviewError extends Error {
  override readonly name = 'NoPreviewError';
}

/** Looks into files. None of them is trusted. */
export abstract class MediaInspector {
  /**
   * The type of a file by its bytes. What a sender says decides only among uses of the same bytes: a voice message or
   * a piece of audio, a sticker or an image. Bytes that are not of a known image, audio or video type are a document.
   * @param path of a file of this machine
   */
  abstract inspect(path: string, claimed: ClaimedType): Promise<FileFacts>;

  /**
   * A smaller picture of an image, as WebP.
   * @param path of a file of this machine
   * @throws NoPreviewError
   */
  abstract preview(path: string): Promise<Buffer>;

  /**
   * An image as models take it: its first frame, as JPEG of at most 1,024 pixels on its longer side, on white.
   * @param path of a file of this machine
   * @throws NoPreviewError
   */
  abstract picture(path: string): Promise<Buffer>;
}
