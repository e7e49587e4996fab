import { Injectable } from '@nestjs/common';
import type { Operation } from './access-table';
import { UnauthorizedError } from './account.errors';
import { ApiKeysService } from './keys/api-keys.service';
import { isPerson, requireMayGoOn, type Principal } from './principal.rules';
import { SessionsService } from './people/sessions.service';

/** A key or a session ends everywhere within a second, so work that takes longer looks at it again. */
const LOOKED_AT_MS = 500;

/** What shows who calls: a key, or the id of a session. */
export type Credential = { key: string } | { sessionToken: string };

/** The key's secret or the session by which a principal was recognised. */
export const credentialIdOf = (principal: Principal): string =>
  isPerson(principal) ? principal.session.id : (principal.secretHash ?? '');

/** Recognises keys and people alike, where no call is counted. */
@Injectable()
export class Principals {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws UnauthorizedError */
  async recognise(credential: Credential): Promise<Principal> {
    return 'key' in credential
      ? this.keys.recognise(credential.key)
      : this.sessions.recognise(credential.sessionToken);
  }

  /** Those that still count, by {@link credentialIdOf}, with their present rights. */
  async stillActive(principals: readonly Principal[]): Promise<Map<string, Principal>> {
    const keys = principals.filter((principal) => !isPerson(principal));
    const [active, people] = await Promise.all([
      keys.length > 0 ? this.keys.stillActive(keys) : new Map<string, Principal>(),
      this.sessions.stillActive(principals.filter(isPerson)),
    ]);
    return new Map([...active, ...people]);
  }

  /**
   * For work that continues long after its caller was recognised.
   * @returns the caller with the rights of now
   * @throws UnauthorizedError when the key or the session does not count any more, ForbiddenError when it may not do the
   * operation any more.
   */
  async requireStillActive(principal: Principal, operation: Operation): Promise<Principal> {
    const living = (await this.stillActive([principal])).get(credentialIdOf(principal));
    if (!living) throw new UnauthorizedError();
    requireMayGoOn(living, operation);
    const { requestId, ip } = principal;
    return { ...living, requestId, ip };
  }

  /**
   * Items that are read as they are taken, for as long as their reader may.
   * @param requireReach throws where the reader, with the rights of now, does not see them any more
   * @throws UnauthorizedError once the key or the session has ended, ForbiddenError once it may not do the operation
   */
  async *whileActive<T>(
    principal: Principal,
    operation: Operation,
    items: AsyncIterable<T>,
    requireReach: (living: Principal) => void = () => undefined,
  ): AsyncGenerator<T> {
    let lookedAt = performance.now();
    for await (const item of items) {
      if (performance.now() - lookedAt > LOOKED_AT_MS) {
        requireReach(await this.requireStillActive(principal, operation));
        lookedAt = performance.now();
      }
      yield item;
    }
  }
}
