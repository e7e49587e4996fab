import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';

/** The forms of a file, the smallest first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** A file as it is will do unless the header says otherwise, but anything that it names is better. */
const UNNAMED = 0.0001;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** How much a caller likes each coding, by lower-case name. One with a broken weight is not wanted. */
function weightsOf(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [name = '', ...rest] = item.split(';').map((part) => part.trim().toLowerCase());
      const weight = rest.length === 0 ? '1' : (WEIGHT.exec(rest[0] ?? '')?.[1] ?? '0');
      return [name, Number(weight)];
    }),
  );
}

/**
 * The form to send of those that there are: the best liked, and of equally liked ones the smallest. Express would take
 * the one that the header names first, and browsers name gzip before brotli.
 * @param header Accept-Encoding; a caller that takes none of the forms gets the file as it is
 */
export function encodingFor(header: string | undefined, available: readonly Encoding[]): Encoding {
  if (header === undefined) return 'identity';
  const weights = weightsOf(header);
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? UNNAMED : 0);
  const [best] = ENCODINGS.filter((encoding) => available.includes(encoding) && weightOf(encoding) > 0).sort(
    (one, other) => weightOf(other) - weightOf(one),
  );
  return best ?? 'identity';
}

const SUFFIXES: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

/** What a page of ours is made of. A file of another kind is not served. */
const TYPES: Partial<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** One name, neither hidden nor of another folder. */
const NAME = /^\w[\w.~-]{0,200}$/;
const NONCE = /(?<=<meta name="csp-nonce" content=")(?="\s*\/?>)/;

/** The end of the nonce's own element. */
const PLACE_OF_SESSION = '>';

/** What differs from answer to answer. */
interface PageContents {
  nonce: string;
  /** Whether the browser sent a session's cookie: without one the page need not ask who is signed in. */
  hasSession: boolean;
}

/** Of the file that holds this form of another one. */
export const nameOf = (name: string, encoding: Encoding): string => name + SUFFIXES[encoding];

interface Asset {
  type: string;
  /** In which forms it lies there. */
  encodings: Encoding[];
}

const isFile = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** What the build of the page left, beside the program that serves it. */
export class PageFolder {
  readonly assets: string;
  private document: { head: string; middle: string; tail: string } | null = null;
  private readonly known = new Map<string, Asset>();

  constructor(private readonly folder = builtPage()) {
    this.assets = join(folder, 'assets');
  }

  /**
   * The page, with what differs in its place; null where none was built. A process keeps the one that it has read: it
   * fits its operations, while a newer one may be built for the process that comes next.
   */
  async page({ nonce, hasSession }: PageContents): Promise<string | null> {
    this.document ??= await this.readDocument();
    if (!this.document) return null;
    const { head, middle, tail } = this.document;
    return `${head}${nonce}${middle}<meta name="session" content="${hasSession ? 'given' : 'none'}" />${tail}`;
  }

  /** Null where there is no such file. */
  async asset(name: string): Promise<Asset | null> {
    const known = this.known.get(name);
    if (known) return known;
    const type = TYPES[extname(name)];
    if (!type || !NAME.test(name)) return null;
    const areThere = await Promise.all(
      ENCODINGS.map((encoding) => isFile(join(this.assets, nameOf(name, encoding)))),
    );
    const encodings = ENCODINGS.filter((_, index) => areThere[index]);
    if (!encodings.includes('identity')) return null;
    const asset = { type, encodings };
    this.known.set(name, asset);
    return asset;
  }

  private async readDocument(): Promise<{ head: string; middle: string; tail: string } | null> {
    const text = await readFile(join(this.folder, 'index.html'), 'utf8').catch(() => '');
    const [head, rest, ...more] = text.split(NONCE);
    if (head === undefined || rest === undefined || more.length > 0) return null;
    const end = rest.indexOf(PLACE_OF_SESSION) + PLACE_OF_SESSION.length;
    return { head, middle: rest.slice(0, end), tail: rest.slice(end) };
  }
}

/** Found from this file, wherever the process was started. */
function builtPage(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'dist/monitor');
}
