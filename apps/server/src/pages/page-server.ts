import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Express, Request, Response } from 'express';
import { respondWithError } from '../http/errors/error-responder';
import { NotFoundError } from '../http/errors/http.errors';
import { logPathAs } from '../http/routes/logged-path';
import type { IdentifiedRequest } from '../http/routes/request-id-middleware';
import type { UnknownAddress } from '../http/routes/route-check-middleware';
import { withoutConditions } from '../http/body/request-conditions';
import { encodingFor } from './asset-encoding';
import { nameOf, PageFolder } from './page-folder';
import { ASSET, ASSETS, pagePaths } from './page-paths';
import { setPageHeaders } from './page-policy';

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

export interface PageSettings {
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
