import type { RecipientRequest } from '@app/client/api-types';

/** What one call takes. */
const RECIPIENTS_MAX = 1_000;
const BYTES_MAX = 900_000;

/** A part that was handed over cannot be called back, so a stop is felt the sooner the smaller they are. */
export const RECIPIENTS_LEAST = 100;
/** Each part is a list of its own with the service, and all of their ids stand in the address of the page. */
const PARTS_WANTED = 50;

const bytesOf = (recipient: RecipientRequest): number =>
  new TextEncoder().encode(JSON.stringify(recipient)).length + 1;

/** The recipients in parts, of which each goes into one call. */
export function inParts(recipients: readonly RecipientRequest[]): RecipientRequest[][] {
  const wanted = Math.ceil(recipients.length / PARTS_WANTED);
  const most = Math.min(RECIPIENTS_MAX, Math.max(RECIPIENTS_LEAST, wanted));
  const parts: RecipientRequest[][] = [];
  let bytes = 0;
  for (const recipient of recipients) {
    const size = bytesOf(recipient);
    const part = parts.at(-1);
    if (part && part.length < most && bytes + size <= BYTES_MAX) {
      part.push(recipient);
      bytes += size;
    } else {
      parts.push([recipient]);
      bytes = size;
    }
  }
  return parts;
}
