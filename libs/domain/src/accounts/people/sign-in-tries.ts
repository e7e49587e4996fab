import { hash } from 'node:crypto';
import {
  SignInTriesRepository,
  type TryLimit,
} from '@app/persistence/accounts/people/sign-in-tries.repository';
import { Injectable } from '@nestjs/common';
import { TooManyTriesError } from './people.errors';

/** Tries in 15 minutes: of an address from one network, of an address from all, and of a network. */
const OF_ADDRESS_AND_NETWORK = 10;
const OF_ADDRESS = 50;
const OF_NETWORK = 100;
/** What a session or a link may be tried with: whoever has stolen one has any number of networks. */
const OF_SESSION = 10;
const OF_LINK = 10;

/** Tries of one network that wait to be counted. Further ones are refused at once. */
const WAITING_MAX = 500;

const subjectOf = (...parts: string[]): Buffer => hash('sha256', JSON.stringify(parts), 'buffer');

const keyOf = ({ subject }: TryLimit): string => subject.toString('base64');

/** A try that counts until it is taken back. */
export interface CountedTry {
  /** By the database's clock. */
  at: Date;
  /** It was no wrong guess, so it does not count. */
  forgive: () => Promise<void>;
}

/** What is tried. It takes the try back where it was no wrong guess. */
type Guess<T> = (counted: CountedTry) => Promise<T>;

/** Limits guesses of passwords and links, for each address and network. */
@Injectable()
export class SignInTries {
  /** Guesses of this process that are not over, by what they are counted by. */
  private readonly underWay = new Map<string, Set<Promise<void>>>();
  /** Those that are being counted, by the widest limit. */
  private readonly turns = new Map<string, { waiting: number; last: Promise<void> }>();

  constructor(private readonly tries: SignInTriesRepository) {}

  /**
   * A guess for an address. A network in which its person has worked lately is not held to the limit of all networks,
   * so nobody can lock a person out. What is guessed from there counts towards it.
   * @throws TooManyTriesError
   */
  async ofAddress<T>(emailKey: string, network: string, guess: Guess<T>): Promise<T> {
    const known = await this.tries.isKnown(emailKey, network);
    return this.counted(guess, [
      { subject: subjectOf('network', network), most: OF_NETWORK },
      { subject: subjectOf('address and network', emailKey, network), most: OF_ADDRESS_AND_NETWORK },
      { subject: subjectOf('address', emailKey), most: known ? null : OF_ADDRESS },
    ]);
  }

  /**
   * A guess of a person by a session. What others guess does not count, so nobody can keep a person who is signed in
   * from confirming. What the session guesses counts for sign-in too.
   * @throws TooManyTriesError
   */
  async ofSession<T>(emailKey: string, network: string, sessionId: string, guess: Guess<T>): Promise<T> {
    return this.counted(guess, [
      { subject: subjectOf('session', sessionId), most: OF_SESSION },
      { subject: subjectOf('network', network), most: null },
      { subject: subjectOf('address and network', emailKey, network), most: null },
      { subject: subjectOf('address', emailKey), most: null },
    ]);
  }

  /** A guess of a code by a link that is good. @throws TooManyTriesError */
  async ofLink<T>(tokenHash: Buffer, guess: Guess<T>): Promise<T> {
    return this.counted(guess, [{ subject: subjectOf('link', tokenHash.toString('base64')), most: OF_LINK }]);
  }

  /** A guess of a network that names no address. @throws TooManyTriesError */
  async ofNetwork<T>(network: string, guess: Guess<T>): Promise<T> {
    return this.counted(guess, [{ subject: subjectOf('network', network), most: OF_NETWORK }]);
  }

  /**
   * Counts a guess until it is over. Good ones are taken back, so where others of this process are under way, it waits
   * for their end before it is refused.
   * @param limits the first one is the widest of those that are enforced
   */
  private async counted<T>(guess: Guess<T>, limits: readonly [TryLimit, ...TryLimit[]]): Promise<T> {
    const keys = limits.map(keyOf);
    const enforced = limits.filter(({ most }) => most !== null).map(keyOf);
    for (;;) {
      // One after the other: who is refused knows all that were counted before.
      const begun = await this.inTurn(keys[0] ?? '', async () => {
        const counted = await this.tries.count(limits);
        if ('retryAfterSeconds' in counted) return { counted, others: this.othersOf(enforced) };
        const forgive = (): Promise<void> => this.tries.forgive(limits, counted.at);
        return this.following(keys, guess({ at: counted.at, forgive }));
      });
      if ('over' in begun) return begun.over;
      if (begun.others.length === 0) throw new TooManyTriesError(begun.counted.retryAfterSeconds);
      await Promise.race(begun.others);
    }
  }

  /** @throws TooManyTriesError where too many wait already. */
  private async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = this.turns.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (turn.waiting >= WAITING_MAX) throw new TooManyTriesError(1);
    this.turns.set(key, turn);
    turn.waiting += 1;
    const mine = turn.last.then(work);
    turn.last = mine.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await mine;
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) this.turns.delete(key);
    }
  }

  private othersOf(keys: readonly string[]): Promise<void>[] {
    return keys.flatMap((key) => [...(this.underWay.get(key) ?? [])]);
  }

  /** Keeps a guess among those under way until it is over. */
  private following<T>(keys: readonly string[], guessed: Promise<T>): { over: Promise<T> } {
    const over = guessed
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        for (const key of keys) {
          const others = this.underWay.get(key);
          others?.delete(over);
          if (others?.size === 0) this.underWay.delete(key);
        }
      });
    for (const key of keys) this.underWay.set(key, (this.underWay.get(key) ?? new Set()).add(over));
    return { over: guessed };
  }
}
