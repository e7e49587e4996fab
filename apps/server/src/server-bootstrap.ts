import 'reflect-metadata';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkProcessLimits } from '@app/config/process-limits';
import type { Settings } from '@app/config/settings-config';
import { recordTraces } from '@app/contracts/trace-recorder';
import { FileLinks } from '@app/domain/media/media-store.port';
import { OtlpRecorder } from '@app/integrations/tracing/otlp-recorder';
import type { Worker } from '@app/domain/work/worker';
import type { Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { Logger } from 'nestjs-pino';
import { BoardSocketAdapter } from './board/board-socket-adapter';
import { DOCS_PATHS, serveDocs, type DocsKeys } from './docs/docs-pages';
import { Metrics } from './metrics/metrics-registry';
import { clientErrorAnswer } from './http/errors/client-error-responder';
import { LingeringClose } from './http/body/lingering-close';
import {
  routeCheck,
  STRICT_TRANSPORT,
  type RouteCheckState,
  RouteTable,
  routesOf,
} from './http/routes/route-check-middleware';
import { HttpServerAdapter, SOCKETS } from './http/routes/http-server-adapter';
import { identifyRequest, requestIdOf } from './http/routes/request-id-middleware';
import { traceRequests, requestTimer } from './http/routes/request-trace';
import { SessionCookie } from './http/auth/session-cookie';
import { requestLogger } from './logs/logger-options';
import { requestLine } from './logs/request-line';
import { PageServer } from './pages/page-server';
import { ServerModule } from './server.module';

export interface RunningServer {
  /** The address on this machine where it listens. */
  url: string;
  port: number;
  /** Whether it also listens on all other addresses of this machine. */
  everywhere: boolean;
  /** Finishes the requests under way, asks boards to connect elsewhere, and stops. Idempotent. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  docsKeys?: DocsKeys;
  /** Replaces the features' workers. */
  workers?: readonly Type<Worker>[];
  /** Frees the port, where another server of the process has it. */
  beforeListening?: () => Promise<void>;
}

/** Longer than most load balancers keep idle connections. Node's 5 s would close theirs during a request. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_MS = 15_000;
/** A file of 100 MiB by 350 KB a second. Bodies of JSON have less time (`body-reader.ts`). */
const REQUEST_MS = 300_000;
const DRAIN_MS = 10_000;
/** After the drain a statement that no one waits for may still run into its time limit of 8 s. */
const STOP_MS = DRAIN_MS + 9_000;
/** Requests that were being sent when the stop was announced arrive within this time. */
const FAREWELL_MS = 300;

/** Starts the product's process. The one function for production, the demo and the tests. */
export async function startServer(settings: Settings, options: ServerOptions = {}): Promise<RunningServer> {
  checkProcessLimits();
  const http = express();
  const adapter = new HttpServerAdapter(http);
  const app = await NestFactory.create<NestExpressApplication>(
    ServerModule.forSettings(settings, options.workers),
    adapter,
    {
      bodyParser: false,
      // Log lines are held back until it listens, so that a failed start prints one line instead of forty.
      bufferLogs: true,
      autoFlushLogs: false,
      abortOnError: false,
    },
  );
  app.disable('x-powered-by');
  // Whose X-Forwarded-For counts: nobody's, unless the settings name proxies.
  app.set('trust proxy', settings.trustedProxies.length > 0 ? settings.trustedProxies : false);
  app.set('etag', false);
  app.set('query parser', 'simple');
  // No answer of the API is ever "not modified", whatever a caller claims to have cached.
  Object.defineProperty(http.request, 'fresh', { value: false });
  const routeState: RouteCheckState = { draining: false, leaving: false, open: new Set() };
  const isSecure = new URL(settings.publicUrl).protocol === 'https:';
  const operations = [
    ...routesOf(app.get(ModulesContainer)),
    ...DOCS_PATHS.map((path) => ({ method: 'GET', path })),
  ];
  // A worker has no operations that a page could ask.
  const pages =
    settings.role === 'worker'
      ? null
      : new PageServer({
          ...{ isSecure, showsDesign: settings.showsDesign },
          hasSession: (headers) => app.get(SessionCookie).isGiven(headers),
        });
  const routes = new RouteTable([
    ...operations,
    ...(pages?.paths ?? []).map((path) => ({ method: 'GET', path })),
  ]);
  app.use(identifyRequest);
  // Loads OpenTelemetry (.swcrc), so only where traces are asked for.
  const recorder = settings.tracing && new OtlpRecorder(settings.tracing);
  if (recorder) app.use(traceRequests(recorder));
  recordTraces(recorder);
  app.use(requestTimer(app.get(Metrics), requestLine(requestLogger(settings.logLevel))));
  const unknownAddress = pages?.unknownAddress(operations.map(({ path }) => path)) ?? null;
  app.use(routeCheck(routes, routeState, { isSecure, unknownAddress }));
  app.useWebSocketAdapter(new BoardSocketAdapter(app));
  serveDocs(app, options.docsKeys ?? null);
  pages?.serveOn(http);
  const server = app.getHttpServer();
  const connections = connectionsOf(server);
  limitConnections(server);
  const lingering = new LingeringClose();
  lingering.watch(server);
  server.on('clientError', clientErrorAnswer(routeState.open));
  readEveryAddress(server);
  await app.init();
  await options.beforeListening?.();
  await app.listen(settings.port, settings.host);
  headSocketAnswers(server, isSecure);
  app.useLogger(app.get(Logger));
  app.flushLogs();
  const address = server.address() as AddressInfo;
  // The demo's providers are on this machine, whatever its public address is.
  if (settings.toolsReachThisMachine) app.get(FileLinks).address = urlOf(address);
  let stopping: Promise<void> | null = null;
  // Each connection closes after the answer it waits for. A request just sent on an idle one is answered too.
  const closeAfterAnswers = (): void => {
    for (const answer of routeState.open) if (!answer.headersSent) answer.setHeader('Connection', 'close');
  };
  const stop = async (): Promise<void> => {
    if (settings.stopNoticeMs > 0) {
      routeState.leaving = true;
      closeAfterAnswers();
      await sleep(settings.stopNoticeMs);
    }
    routeState.draining = true;
    closeAfterAnswers();
    await sleep(FAREWELL_MS);
    lingering.end();
    const cut = setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, DRAIN_MS);
    try {
      await within(STOP_MS, app.close());
    } finally {
      await recorder?.stop();
    }
    clearTimeout(cut);
  };
  return {
    url: urlOf(address),
    port: address.port,
    everywhere: isEverywhere(address),
    stop: () => (stopping ??= stop()),
  };
}

const isEverywhere = ({ address }: AddressInfo): boolean => address === '0.0.0.0' || address === '::';

function urlOf(at: AddressInfo): string {
  const { address, family, port } = at;
  const host = isEverywhere(at) ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

/** The open connections, including upgraded ones, which Node no longer counts as its own. */
function connectionsOf(server: Server): Set<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(milliseconds, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not over after ${milliseconds / 1000} s`);
  });
  late.catch(() => undefined);
  try {
    await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

/**
 * Requests that Node or Express would answer by themselves, without our envelope and request id, take the same way as
 * all others.
 */
function readEveryAddress(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const { url = '' } = request;
    if (url.startsWith('/')) return;
    // An address in absolute form. One that cannot be parsed is a path that does not exist.
    const parsed = URL.parse(url);
    request.url = parsed ? parsed.pathname + parsed.search : '//';
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
}

/** Socket.IO answers long polling before Express is asked, from its start on, so this must come before it. */
function headSocketAnswers(server: Server, isSecure: boolean): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith(SOCKETS)) return;
    response.setHeader('X-Request-Id', requestIdOf(request));
    if (isSecure) response.setHeader(...STRICT_TRANSPORT);
  });
}

function limitConnections(server: Server): void {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  // A client that closes its side after a whole request still gets the answer, as with `nc -N`.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
}
