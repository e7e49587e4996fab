import type { InboundFile } from '../exchange/provider-formatter';
import { FILE_KINDS, sampleOf, type FileKind } from '../files/file-kinds';
import { FILE_ACTS, isFileAct, type NewFile } from '../files/file.store';
import type { Handler } from '../http/call-router';
import { answerJson, text } from '../http/json.answer';

/** A request to the handset that cannot be fulfilled. */
export class HandsetError extends Error {}

/** Answers 400 with the reason where the handler throws one. */
export function guarded(handler: Handler): Handler {
  return (call) => {
    try {
      return handler(call);
    } catch (error) {
      if (!(error instanceof HandsetError)) throw error;
      answerJson(call.response, 400, { error: error.message });
    }
  };
}

const CAPTION_MAX = 1024;
const NAME_MAX = 240;

/** A file that a customer sends, as the handset is told of it. Without bytes the phone takes a sample of the kind. */
export interface CustomerFile {
  kind: string;
  /** Base64. */
  data?: string;
  bytes?: Buffer;
  name?: string;
  mime_type?: string;
  caption?: string;
  /** What the provider does wrong when it serves the file. */
  act?: string;
  /** How often; absent: always. */
  act_times?: number;
}

/**
 * Reads a customer's file.
 * @throws HandsetError
 */
export function readCustomerFile(
  given: CustomerFile,
): Omit<InboundFile, 'file'> & { file: Omit<NewFile, 'sender'> } {
  const kind = FILE_KINDS.find((one) => one === given.kind);
  if (!kind) throw new HandsetError(`kind must be one of ${FILE_KINDS.join(', ')}.`);
  if (given.act !== undefined && !isFileAct(given.act))
    throw new HandsetError(`act must be one of ${Object.keys(FILE_ACTS).join(', ')}.`);
  const times = given.act_times ?? null;
  if (times !== null && !(Number.isSafeInteger(times) && times > 0))
    throw new HandsetError('act_times must be a whole number from 1.');
  const caption = text(given.caption) ?? '';
  if (caption.length > CAPTION_MAX)
    throw new HandsetError(`caption must have at most ${CAPTION_MAX} characters.`);
  return { kind, caption, file: { ...contentOf(kind, given), act: given.act ?? null, actTimes: times } };
}

function contentOf(kind: FileKind, given: CustomerFile): Pick<NewFile, 'bytes' | 'mimeType' | 'name'> {
  const sample = sampleOf(kind);
  const bytes = given.bytes ?? (given.data === undefined ? sample.bytes : Buffer.from(given.data, 'base64'));
  const name = text(given.name)?.slice(0, NAME_MAX) ?? (kind === 'document' ? sample.name : null);
  return { bytes, mimeType: text(given.mime_type) ?? sample.mimeType, name };
}
