import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A wire between a server process and its database that can lose what the database answers. */
export class DatabaseProxy {
  private readonly wires = new Set<Socket>();
  private losing = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (caller) => this.join(caller));
  }

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer();
    const proxy = new DatabaseProxy(server, new URL(databaseUrl));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  /** The database's address by way of this wire. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.toString();
  }

  /** From now on the database hears everything, and nothing of what it answers arrives. */
  loseAnswers(): void {
    this.losing = true;
  }

  /** Cuts every connection; those made from now on are whole again. */
  cut(): void {
    this.losing = false;
    for (const wire of this.wires) wire.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(caller: Socket): void {
    const database = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [caller, database],
      [database, caller],
    ] as const) {
      this.wires.add(from);
      from.on('data', (bytes) => {
        if (from === caller || !this.losing) to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.wires.delete(from);
        to.destroy();
      });
    }
  }
}
