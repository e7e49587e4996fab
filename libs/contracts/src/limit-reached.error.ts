import { CodedError } from './coded.error';

/** The account, the agent or the number has as many as the installation lets it have. */
export class LimitReachedError extends CodedError {
  readonly code = 'LIMIT_REACHED';

  /** @param what there are that many of, in the plural */
  constructor(most: number, what: string) {
    super(`There may be at most ${most} ${what}: remove one that is not needed, or have the limit raised.`);
  }
}
