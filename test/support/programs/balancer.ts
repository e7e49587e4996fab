import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ASK_EVERY_MS = 50;

interface Target {
  url: URL;
  isReady: boolean;
  asking: AbortController;
}

/**
 * A balancer as nginx is by default: each call goes in turn to a process that says it is ready, by a connection of its own, and
 * none is tried twice. Sockets of boards stay where they were opened.
 */
export class Balancer {
  private readonly targets: Target[] = [];
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (call, answer) => this.pass(call, answer));
    server.on('upgrade', (call, socket, head) => this.join(call, socket as Socket, head));
  }

  static async start(): Promise<Balancer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Balancer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Resolves when the process gets calls. */
  async add(url: string): Promise<void> {
    const target = { url: new URL(url), isReady: false, asking: new AbortController() };
    await this.ask(target);
    this.targets.push(target);
    void this.follow(target);
  }

  /** Forgets a process that has ended. */
  remove(url: string): void {
    const index = this.targets.findIndex((target) => target.url.href === new URL(url).href);
    for (const target of index < 0 ? [] : this.targets.splice(index, 1)) target.asking.abort();
  }

  async stop(): Promise<void> {
    for (const { asking } of this.targets) asking.abort();
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async follow(target: Target): Promise<void> {
    while (!target.asking.signal.aborted) {
      await sleep(ASK_EVERY_MS);
      await this.ask(target);
    }
  }

  private async ask(target: Target): Promise<void> {
    const { signal } = target.asking;
    const answer = await fetch(new URL('/health/ready', target.url), { signal }).catch(() => null);
    await answer?.body?.cancel();
    target.isReady = answer?.status === 200;
  }

  private next(): URL | null {
    const ready = this.targets.filter(({ isReady }) => isReady);
    return ready[(this.turn += 1) % Math.max(1, ready.length)]?.url ?? null;
  }

  private pass(call: IncomingMessage, answer: ServerResponse): void {
    const target = this.next();
    if (!target) return void answer.writeHead(503).end('no process is ready');
    const { method, url: path, headers } = call;
    const { hostname, port } = target;
    const passed = request({ hostname, port, method, path, headers, agent: false }, (given) => {
      const { connection: _, 'keep-alive': __, ...kept } = given.headers;
      answer.writeHead(given.statusCode ?? 502, kept);
      given.pipe(answer);
      given.on('error', () => answer.destroy());
    });
    passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end('lost')));
    call.pipe(passed);
  }

  private join(call: IncomingMessage, caller: Socket, head: Buffer): void {
    const target = this.next();
    if (!target) return void caller.destroy();
    const process = connect(Number(target.port), target.hostname);
    for (const socket of [caller, process]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    }
    const lines = [`${call.method} ${call.url} HTTP/1.1`];
    for (let n = 0; n < call.rawHeaders.length; n += 2)
      lines.push(`${call.rawHeaders[n]}: ${call.rawHeaders[n + 1]}`);
    process.write(`${lines.join('\r\n')}\r\n\r\n`);
    process.write(head);
    caller.pipe(process).pipe(caller);
    caller.on('close', () => process.destroy());
    process.on('close', () => caller.destroy());
  }
}
