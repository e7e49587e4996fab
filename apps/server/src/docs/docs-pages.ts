import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import type { Express, Request, Response } from 'express';
import { withoutConditions } from '../http/body/request-conditions';
import { buildOpenApiDocument } from './openapi-document';

const LOOPBACK_PEER = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * Whether a person at this machine asks. The peer's address is not enough: a page whose name resolves to 127.0.0.1
 * makes the person's own browser ask, and a proxy asks for others.
 */
export function asksFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  return (
    LOOPBACK_PEER.test(socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(headers.host ?? '') &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}

/**
 * Keys that the demo fills in for a person on the same machine, so that "Try it out" works at once. Production has
 * none.
 */
export interface DocsKeys {
  ApiKey: string;
  AdminKey: string;
}

const DOCUMENT = '/openapi.json';
const FOLDER = '/docs';
const PAGE_ADDRESSES = [FOLDER, `${FOLDER}/`];
const START = `${FOLDER}/start.js`;

/** The files of Swagger UI that the page uses. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The files and pages served here. */
export const DOCS_PATHS: readonly string[] = [
  ...PAGE_ADDRESSES,
  START,
  DOCUMENT,
  ...FILES.map((file) => `${FOLDER}/${file}`),
];

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Leadline API</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${FOLDER}/swagger-ui.css" />
    <link rel="icon" type="image/png" href="${FOLDER}/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${FOLDER}/swagger-ui-bundle.js"></script>
    <script src="${START}"></script>
  </body>
</html>
`;

const startScript = (keys: DocsKeys | null): string => `'use strict';
const ui = SwaggerUIBundle({
  url: '${DOCUMENT}', dom_id: '#swagger-ui', deepLinking: true, tryItOutEnabled: true, persistAuthorization: false,
  defaultModelsExpandDepth: 0,
  // A call shows one caller: with a key, the cookie of whoever is signed in here stays at home.
  requestInterceptor: (request) => {
    request.credentials = 'X-API-Key' in request.headers ? 'omit' : 'same-origin';
    return request;
  },
  responseInterceptor: (response) => {
    const token = response.ok && response.body && response.body.data && response.body.data.csrf_token;
    if (token) ui.preauthorizeApiKey('CsrfToken', token);
    return response;
  },
  onComplete: () => {
    const keys = ${JSON.stringify(keys ?? {})};
    for (const [scheme, key] of Object.entries(keys)) ui.preauthorizeApiKey(scheme, key);
  },
});
`;

/** Swagger UI draws its icons from data addresses and its own stylesheet; scripts come from this server only. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Serves Swagger UI at /docs. The document is built at the first request, so that a start does not wait for it. */
export function serveDocs(app: INestApplication, keys: DocsKeys | null): void {
  let document: string | null = null;
  const readDocument = (): string => (document ??= JSON.stringify(buildOpenApiDocument(app)));
  const server = app.getHttpAdapter().getInstance() as Express;
  const send = (response: Response, type: string, body: string): void => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type(type).send(body);
  };
  const page = (type: string, body: string) => (_request: Request, response: Response) =>
    send(response, type, body);
  server.get(DOCUMENT, (_request: Request, response: Response) =>
    send(response, 'application/json', readDocument()),
  );
  server.get(PAGE_ADDRESSES, page('text/html', PAGE));
  server.get(START, (request: Request, response: Response) =>
    send(response, 'text/javascript', startScript(asksFromThisMachine(request) ? keys : null)),
  );
  const root = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const file of FILES) {
    server.get(`${FOLDER}/${file}`, (request: Request, response: Response) => {
      withoutConditions(request);
      response.sendFile(file, { root, acceptRanges: false, cacheControl: false });
    });
  }
}
