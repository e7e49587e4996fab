/** Names a file of an account. */
export interface LinkedFile {
  accountId: string;
  id: string;
}

/** Addresses at which providers fetch files without a key. Whoever has one may read that file until its end. */
export abstract class FileLinks {
  /** Where providers reach this service, without a trailing slash; null: nowhere. */
  abstract address: string | null;

  /** @returns null where the service has no public address. */
  abstract linkOf(file: LinkedFile): string | null;

  /** @returns null for what is none of our addresses, or has ended. */
  abstract read(token: string): LinkedFile | null;
}
