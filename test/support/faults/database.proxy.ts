import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { eventually } from '../eventually';

/**
 * A wire between a server process and its database that can lose what the database answers, or swallow everything
 * without a word, as a firewall does that has forgotten its connections.
 */
export class DatabaseProxy {
  private readonly wires = new Set<Socket>();
  /** Those of the wires that lead to the database. */
  private readonly databases = new Set<Socket>();
  /** Or the words after which it will be. */
  private losing: boolean | string = false;
  private swallowing = false;
  private swallowed = '';
  /** What was sent to the database since; null: nobody listens. */
  private heard: string | null = null;
  /** Connections on which nothing arrives any more, and whose ends are not closed. */
  private readonly dead = new Set<Socket>();
  /** Connections whose next bytes are changed. */
  private readonly garbled = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private target: URL,
  ) {
    server.on('connection', (caller) => this.join(caller));
  }

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const server = createServer({ allowHalfOpen: true });
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

  /** Connections made from now on lead there, as a balancer's after a failover. The others are cut. */
  leadTo(databaseUrl: string): void {
    this.target = new URL(databaseUrl);
    this.cut();
  }

  /** The ports from which it reaches the database, as `pg_stat_activity` shows them. */
  get ports(): number[] {
    return [...this.databases].flatMap(({ localPort }) => localPort ?? []);
  }

  /**
   * From now on the database gets everything, and its answers are lost.
   * @param after only once something with these words, such as a statement's name, was sent
   */
  loseAnswers(after?: string): void {
    this.losing = after ?? true;
  }

  /** The next answer on each connection that is open now arrives as other bytes. */
  garbleAnswers(): void {
    for (const wire of this.databases) this.garbled.add(wire);
  }

  /** From now on nothing arrives on any connection, made already or from now on, and none is closed. */
  swallow(): void {
    this.swallowing = true;
    this.swallowed = '';
    for (const wire of this.wires) this.dead.add(wire);
  }

  /** Waits until something with one of these words, such as a statement's name, was sent and swallowed. */
  async hasSwallowed(...words: string[]): Promise<void> {
    await eventually(
      async () => words.some((word) => this.swallowed.includes(word)),
      20_000,
      `nothing was sent that says ${words.join(' or ')}`,
    );
  }

  /** How often something with these words was sent and swallowed. */
  timesSwallowed(words: string): number {
    return this.swallowed.split(words).length - 1;
  }

  /** The names of the prepared statements that are run during an act, in their order. Nothing is lost. */
  async statementsOf(act: () => Promise<unknown>): Promise<string[]> {
    this.heard = '';
    await act();
    // The message Bind: its length, a portal without a name, the statement's name.
    const names = [...this.heard.matchAll(/B[\s\S]{4}\0([a-z][a-z-]+)\0/g)].map(([, name = '']) => name);
    this.heard = null;
    return names;
  }

  /** New connections are whole again; those that were swallowed stay dead without a word. */
  letThrough(): void {
    this.swallowing = false;
  }

  /** Cuts every connection; those made from now on are whole again. */
  cut(): void {
    this.losing = false;
    this.swallowing = false;
    for (const wire of this.wires) wire.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(caller: Socket): void {
    const database = connect({
      port: Number(this.target.port),
      host: this.target.hostname,
      allowHalfOpen: true,
    });
    this.databases.add(database);
    for (const [from, to] of [
      [caller, database],
      [database, caller],
    ] as const) {
      this.wires.add(from);
      if (this.swallowing) this.dead.add(from);
      from.on('data', (bytes) => {
        if (this.dead.has(from)) {
          this.swallowed += bytes.toString('latin1');
          return;
        }
        if (from === caller && this.heard !== null) this.heard += bytes.toString('latin1');
        const { losing } = this;
        if (from === caller && typeof losing === 'string' && bytes.includes(losing)) this.losing = true;
        if (this.garbled.delete(from)) to.write(bytes.map((byte) => byte ^ 0x55));
        else if (from === caller || this.losing !== true) to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('end', () => {
        if (!this.dead.has(from)) to.end();
      });
      from.on('close', () => {
        this.wires.delete(from);
        this.databases.delete(from);
        this.garbled.delete(from);
        if (!this.dead.delete(from)) to.destroy();
      });
    }
  }
}
