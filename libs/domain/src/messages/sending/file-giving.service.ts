import { ValidationError } from '@app/contracts/coded.errors';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import type { MediaKind } from '@app/contracts/media.words';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/principal.rules';
import { Principals } from '../../accounts/principals.service';
import { ProviderRefusalError } from '../dialog/message.errors';
import {
  type FileToGive,
  MessageSenders,
  type FileContent,
  type GivenFile,
} from '../dispatch/message-sender.port';
import type { OpenChannel } from './channel-connections.service';

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

/** Meta's limit for a caption. Gupshup's is the same. */
const CAPTION_LENGTH_MAX = 1_024;
const WITHOUT_CAPTION: ReadonlySet<string> = new Set(['audio', 'voice', 'sticker']);

/** Each has a connection and some 100 KB of memory. */
const GIVEN_AT_ONCE = 16;
/** 100 MiB by 900 KB a second: longer, and proxies give their callers up. */
const GIVE_MS_MAX = 120_000;
const TRIES = 2;
/** A key is revoked everywhere within a second, so work that takes longer checks it again. */
const CALLER_LOOKED_AT_MS = 500;

/** What is sent, and its caller with the rights of now. */
interface GivenContent {
  content: FileContent;
  by: Principal;
}

/**
 * Gives a file to a number's provider before the message that carries it is stored. Nothing reaches the customer by
 * that, so it is tried twice, and the message's own request is still made once.
 */
@Injectable()
export class FileGiving {
  private readonly limiter = new InFlightLimiter(GIVEN_AT_ONCE);

  constructor(
    private readonly senders: MessageSenders,
    private readonly principals: Principals,
  ) {}

  /**
   * @param caption empty: none
   * @throws UnauthorizedError, ForbiddenError where the caller may not send any more
   * @throws ValidationError for a caption that the file cannot have, and where the provider could not fetch the file
   * @throws ProviderRefusalError where the provider does not take it; nothing was stored or sent
   * @throws TooManyWaitingError where too many files of the account are being given
   */
  async give(by: Principal, open: OpenChannel, file: OutgoingFile, caption: string): Promise<GivenContent> {
    requireCaption(file, caption);
    const begun = performance.now();
    const given = await this.limiter.run(by.accountId ?? '', () => this.tryTwice(open, file));
    if (given.kind === 'no_address') throw new NoPublicAddressError();
    if (given.kind === 'failed')
      throw new ProviderRefusalError(
        {
          code: given.code,
          message: `The provider did not take the file, so nothing was sent. ${given.message}`,
        },
        { value: given.response },
        given.retryAfterSeconds,
        false,
        given.providerCode,
      );
    const tookLong = performance.now() - begun > CALLER_LOOKED_AT_MS;
    return {
      content: { type: 'file', kind: file.kind, media: given.media, caption },
      by: tookLong ? await this.principals.requireStillActive(by, 'message.send_text') : by,
    };
  }

  private async tryTwice({ connection }: OpenChannel, file: OutgoingFile): Promise<GivenFile> {
    const signal = AbortSignal.timeout(GIVE_MS_MAX);
    for (let tried = 1; ; tried += 1) {
      const given = await this.senders.of(connection.channel).giveFile(connection, file, signal);
      if (given.kind !== 'failed' || given.isFinal || tried === TRIES || signal.aborted) return given;
    }
  }
}

/** Gupshup fetches files, so it must be able to reach this service. */
class NoPublicAddressError extends ValidationError {
  constructor() {
    super([
      {
        path: 'media_id',
        message: 'cannot be sent by this channel: its provider fetches files, and PUBLIC_URL is not set',
      },
    ]);
  }
}

function requireCaption({ kind }: OutgoingFile, caption: string): void {
  const refuse = (message: string): never => {
    throw new ValidationError([{ path: 'text', message }]);
  };
  if (caption !== '' && WITHOUT_CAPTION.has(kind))
    refuse(`must be absent: a file of the kind ${kind} takes no caption`);
  if (caption.length > CAPTION_LENGTH_MAX)
    refuse(`must have at most ${CAPTION_LENGTH_MAX} characters as the caption of a file`);
}
