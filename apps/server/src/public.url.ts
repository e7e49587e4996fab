/** Where browsers reach the service. */
export abstract class PublicUrl {
  /** Without a trailing slash. */
  abstract readonly value: string;
}
