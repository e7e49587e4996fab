import { randomBytes } from 'node:crypto';
import type { ServerResponse, IncomingHttpHeaders } from 'node:http';
import type { Express, Request, Response } from 'express';
import { withoutConditions } from '../http/body/request-conditions';
import { respondWithError } from '../http/errors/error-responder';
import { NotFoundError } from '../http/errors/http.errors';
import type { IdentifiedRequest } from '../http/routes/request-id-middleware';
import { logPathAs } from '../http/routes/request-trace';
import type { UnknownAddress } from '../http/routes/route-check-middleware';
import { encodingFor, nameOf, PageFolder } from './page-folder';

/** A name or an address, with or without a port. Anything else could end the policy and begin another one. */
const HOST = /^(?:[a-z\d](?:[a-z\d._-]{0,252}[a-z\d])?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Where the page's sockets are. Safari takes 'self' for http and https only. */
function socketsOf(host: string | undefined, isSecure: boolean): string[] {
  if (host === undefined || !HOST.test(host)) return [];
  // To browsers ws means wss too. The proxy may speak TLS without PUBLIC_URL saying so.
  return [`${isSecure ? 'wss' : 'ws'}://${host}`];
}

function contentPolicy(nonce: string, host: string | undefined, isSecure: boolean): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...socketsOf(host, isSecure)].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** What browsers could give to a page, and this one never asks for. */
const DENIED = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

const PERMISSIONS = DENIED.map((feature) => `${feature}=()`).join(', ');

interface PageRequest {
  /** Of the answer, which the styles that libraries write must carry. */
  nonce: string;
  /** As the browser wrote it. */
  host: string | undefined;
  /** Whether the service is behind https. */
  isSecure: boolean;
}

/** The headers of the page, besides those of every answer. */
function setPageHeaders(response: ServerResponse, { nonce, host, isSecure }: PageRequest): void {
  response.setHeader('Content-Security-Policy', contentPolicy(nonce, host, isSecure));
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Permissions-Policy', PERMISSIONS);
}

/** The addresses of the operators' page. What stands there is the page's own business, and so is what is unknown there. */
const PAGES = [
  '/',
  '/sign-in',
  '/invitation',
  '/board',
  '/board/:id',
  '/dialogs/:id',
  '/send',
  '/import',
  '/figures',
  '/runs',
  '/settings',
  '/settings/:page',
];

/** Shows the page's parts side by side, to those who make it. */
const DESIGN = '/design';

const ASSETS = '/assets';

/** A file of the page, named by its content. */
const ASSET = `${ASSETS}/:name`;

const pagePaths = (showsDesign: boolean): string[] => (showsDesign ? [...PAGES, DESIGN] : PAGES);

const NONCE_BYTES = 16;
const FOREVER = 'public, max-age=31536000, immutable';

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Leadline</title>
  </head>
  <body>
    <h1>The page is not built</h1>
    <p>The service runs, but its folder has no page. Whoever runs it builds the page with: npm run build</p>
  </body>
</html>
`;

interface PageSettings {
  /** Whether browsers reach the service by https. */
  isSecure: boolean;
  showsDesign: boolean;
  /** Whether a browser sent a session's cookie. */
  hasSession: (headers: IncomingHttpHeaders) => boolean;
}

/** Where Socket.IO has its addresses, without being an operation. */
const SOCKET_PART = 'socket.io';

const firstPart = (path: string): string => path.split('/', 2)[1]?.toLowerCase() ?? '';

/** Serves the operators' page, at each of its addresses the same, and the files that it loads. */
export class PageServer {
  private readonly folder = new PageFolder();
  private readonly pages: string[];

  constructor(private readonly settings: PageSettings) {
    this.pages = pagePaths(settings.showsDesign);
  }

  get paths(): string[] {
    return [...this.pages, ASSET];
  }

  serveOn(server: Express): void {
    for (const path of this.pages) {
      server.get(path, async (request: Request, response: Response) => {
        logPathAs(response, path);
        if (!(await this.sendPage(request, response, 200)))
          response.status(503).type('text/html').send(NOT_BUILT);
      });
    }
    server.get(ASSET, (request: Request, response: Response) => this.sendAsset(request, response));
  }

  /**
   * What a person sees who opens an address that there is not: the page, which says so and leads back.
   * @param programPaths whose first parts are not for people
   */
  unknownAddress(programPaths: readonly string[]): UnknownAddress {
    const programs = new Set([...programPaths, ASSETS].map(firstPart).concat(SOCKET_PART));
    return async (request, response) => {
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (!reads || programs.has(firstPart(request.path)) || request.accepts(['json', 'html']) !== 'html')
        return false;
      return this.sendPage(request, response, 404);
    };
  }

  /** Resolves with false where there is no page to send. */
  private async sendPage({ headers }: Request, response: Response, status: number): Promise<boolean> {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const hasSession = this.settings.hasSession(headers);
    const page = await this.folder.page({ nonce, hasSession });
    if (page === null) return false;
    setPageHeaders(response, { nonce, host: headers.host, isSecure: this.settings.isSecure });
    response.status(status).type('text/html').send(page);
    return true;
  }

  private async sendAsset(request: Request, response: Response): Promise<void> {
    const { id } = request as IdentifiedRequest;
    const refuse = (): void => respondWithError(response, new NotFoundError(), id);
    const name = String(request.params.name);
    const asset = await this.folder.asset(name);
    if (!asset) return refuse();
    const encoding = encodingFor(request.headers['accept-encoding'], asset.encodings);
    // What has the name for good is the same whatever a condition says.
    withoutConditions(request);
    const options = {
      root: this.folder.assets,
      acceptRanges: false,
      cacheControl: false,
      lastModified: false,
      headers: {
        'Cache-Control': FOREVER,
        'Content-Type': asset.type,
        Vary: 'Accept-Encoding',
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      },
    };
    response.sendFile(nameOf(name, encoding), options, (error) => {
      if (error && !response.headersSent) refuse();
    });
  }
}
