import { processLimits } from '@app/config/process-limits';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';

/** OWASP's Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, no parallelism. */
const { memoryKib: memoryCost, passes: timeCost } = processLimits('passwords', {
  memoryKib: 19_456,
  passes: 2,
});
const HASH_COST = { algorithm: Algorithm.Argon2id, memoryCost, timeCost, parallelism: 1 };
/** Each hash takes a core for some 20 ms and 19 MiB. */
const AT_ONCE = 2;

/** Hashes passwords, a bounded number at once, in turn for each network. */
@Injectable()
export class PasswordHasher {
  private readonly limiter = new InFlightLimiter(AT_ONCE);

  /**
   * @param caller whose turn it is, such as the caller's network
   * @throws TooManyWaitingError when too many wait.
   */
  async hash(caller: string, password: string): Promise<string> {
    return this.limiter.run(caller, () => hash(bytesOf(password), HASH_COST));
  }

  /**
   * Whether it is the password. Takes as long where there is none to compare with.
   * @throws TooManyWaitingError when too many wait.
   */
  async verify(caller: string, stored: string | null, password: string): Promise<boolean> {
    const matches = await this.limiter.run(caller, () => verify(stored ?? nobodys(), bytesOf(password)));
    return matches && stored !== null;
  }
}

/** The same bytes, however a keyboard composed the letters (RFC 8265, 4.2). */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFC'));

/**
 * As a hash of that cost, but of no password: compared where there is nobody, so that it takes the same time. Nothing is
 * hashed for it.
 */
const nobodys = ({ memoryCost, timeCost, parallelism } = HASH_COST): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${zeros(16)}$${zeros(32)}`;

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replaceAll('=', '');
