/** The service's public address, for browsers. */
export abstract class PublicUrl {
  /** Without a trailing slash. */
  abstract readonly value: string;
}
