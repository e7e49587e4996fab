import { hash } from 'node:crypto';
import { SignInTriesRepository, type TryLimit } from '@app/persistence/accounts/sign-in-tries.repository';
import { Injectable } from '@nestjs/common';
import { TooManyTriesError } from './sign-in.errors';

/** Tries in 15 minutes: of an address from one network, of an address from all, and of a network. */
const OF_ADDRESS_AND_NETWORK = 10;
const OF_ADDRESS = 50;
const OF_NETWORK = 100;
/** What a session or a link may be tried with: whoever has stolen one has any number of networks. */
const OF_SESSION = 10;
const OF_LINK = 10;

const subjectOf = (...parts: string[]): Buffer => hash('sha256', JSON.stringify(parts), 'buffer');

/** A try that counts until it is taken back. */
export interface CountedTry {
  /** By the database's clock. */
  at: Date;
  /** It was no wrong guess, so it does not count. */
  forgive: () => Promise<void>;
}

/** Limits guesses of passwords and links, for each address and network. */
@Injectable()
export class SignInTries {
  constructor(private readonly tries: SignInTriesRepository) {}

  /**
   * Counts a try for an address. From a network in which its person has worked lately, what others guess elsewhere
   * does not count, so nobody can lock a person out.
   * @throws TooManyTriesError
   */
  async ofAddress(emailKey: string, network: string): Promise<CountedTry> {
    const known = await this.tries.isKnown(emailKey, network);
    return this.count([
      { subject: subjectOf('address and network', emailKey, network), most: OF_ADDRESS_AND_NETWORK },
      { subject: subjectOf('network', network), most: OF_NETWORK },
      ...(known ? [] : [{ subject: subjectOf('address', emailKey), most: OF_ADDRESS }]),
    ]);
  }

  /**
   * Counts a try of a person by a session. What others guess of the address elsewhere does not count, so nobody can
   * keep a person who is signed in from confirming.
   * @throws TooManyTriesError
   */
  async ofSession(emailKey: string, network: string, sessionId: string): Promise<CountedTry> {
    return this.count([
      { subject: subjectOf('address and network', emailKey, network), most: OF_ADDRESS_AND_NETWORK },
      { subject: subjectOf('network', network), most: OF_NETWORK },
      { subject: subjectOf('session', sessionId), most: OF_SESSION },
    ]);
  }

  /**
   * Counts a try of a code by a link that is good.
   * @throws TooManyTriesError
   */
  async ofLink(tokenHash: Buffer): Promise<CountedTry> {
    return this.count([{ subject: subjectOf('link', tokenHash.toString('base64')), most: OF_LINK }]);
  }

  /**
   * Counts a try of a network that names no address.
   * @throws TooManyTriesError
   */
  async ofNetwork(network: string): Promise<CountedTry> {
    return this.count([{ subject: subjectOf('network', network), most: OF_NETWORK }]);
  }

  private async count(limits: readonly TryLimit[]): Promise<CountedTry> {
    const counted = await this.tries.count(limits);
    if ('retryAfterSeconds' in counted) throw new TooManyTriesError(counted.retryAfterSeconds);
    return { at: counted.at, forgive: () => this.tries.forgive(limits, counted.at) };
  }
}
