import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { ShownFile } from '../chats/chat.words';

/** What a provider does wrong when it serves a file, each with what it is in a sentence. */
export const FILE_ACTS = {
  drip: 'The file comes by one byte in 200 ms.',
  stall: 'Half of the file comes, then nothing more.',
  cut: 'The announced length is right, and the connection ends after half of the file.',
  overstated: 'The announced length is ten times the file.',
  understated: "The provider's record of the file announces a tenth of its length.",
  endless: 'Bytes come without an end and without an announced length.',
  redirect: 'A redirect to another path.',
  hang: 'No answer.',
  reset: 'The connection is reset.',
  missing: '404.',
  'server-error': '503.',
  'html-type': 'The file comes as text/html.',
  'wrong-hash': 'The webhook names the hash of another file.',
} as const;

export type FileAct = keyof typeof FILE_ACTS;

export const isFileAct = (value: unknown): value is FileAct =>
  typeof value === 'string' && Object.hasOwn(FILE_ACTS, value);

/** Bytes of all files. The oldest are forgotten first. */
const TOGETHER_MAX = 256 * 1024 * 1024;

/** A file at a provider, or on a customer's phone. */
export interface StoredFile {
  /** Meta's form of an id: digits. */
  id: string;
  /** The number of the business whose file it is. */
  sender: string;
  bytes: Buffer;
  mimeType: string;
  name: string | null;
  sha256: Buffer;
  /** Part of addresses that need no credential. */
  secret: string;
  /** When it came, milliseconds since 1970. */
  at: number;
  /** How its provider serves it; null: as it should. */
  act: FileAct | null;
  /** How often the act happens before the file is served as it should; null: always. */
  actTimes: number | null;
}

export type NewFile = Pick<StoredFile, 'sender' | 'bytes' | 'mimeType' | 'name'> &
  Partial<Pick<StoredFile, 'act' | 'actTimes'>>;

/** A file as a phone shows it. */
export const shownFile = ({ id, name, mimeType, bytes }: StoredFile): ShownFile => ({
  id,
  name,
  mime_type: mimeType,
  size: bytes.length,
});

/** The files of both providers, in memory. */
export class FileStore {
  /** The oldest first. */
  private readonly files = new Map<string, StoredFile>();
  private together = 0;
  /** Where the sandbox can be reached; set when it listens. */
  base = '';

  add({ act = null, actTimes = null, ...given }: NewFile): StoredFile {
    const file: StoredFile = {
      ...given,
      id: String(10 ** 15 + randomInt(2 ** 47)),
      sha256: createHash('sha256').update(given.bytes).digest(),
      secret: randomBytes(18).toString('base64url'),
      at: Date.now(),
      act,
      actTimes,
    };
    this.files.set(file.id, file);
    this.together += file.bytes.length;
    for (const oldest of this.files.keys()) {
      if (this.together <= TOGETHER_MAX || oldest === file.id) break;
      this.remove(oldest);
    }
    return file;
  }

  find(id: string): StoredFile | null {
    return this.files.get(id) ?? null;
  }

  remove(id: string): void {
    const file = this.files.get(id);
    if (!file) return;
    this.files.delete(id);
    this.together -= file.bytes.length;
  }

  /** The address of a file at Gupshup, which needs no credential. */
  gupshupUrl({ id, secret }: StoredFile): string {
    return `${this.base}/wa/${secret}/wa/media/${id}?download=false`;
  }

  /** The address of a file at Meta, which needs the bearer token. */
  cloudUrl({ id, secret }: StoredFile, expires: number): string {
    return `${this.base}/whatsapp_business/attachments/?mid=${id}&source=getMedia&ext=${expires}&hash=${secret}`;
  }
}
