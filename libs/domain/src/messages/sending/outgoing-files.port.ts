import type { MediaKind } from '@app/contracts/media.words';
import type { Principal } from '../../accounts/principal.rules';
import type { FileToGive } from '../dispatch/message-sender.port';

/** A file that a message can carry. */
export interface OutgoingFile extends FileToGive {
  id: string;
  kind: MediaKind;
}

/** The files that callers may send. */
export abstract class OutgoingFiles {
  /** @throws CodedError where the caller sees no such file, or it has no bytes. */
  abstract find(by: Principal, id: string): Promise<OutgoingFile>;
}
