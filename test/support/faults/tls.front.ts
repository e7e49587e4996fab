import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/** Made for these tests, valid for a hundred years. */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgT8rbwQRWce12mPaR
uRXokDvcuTkTqnJOACVIG7pcq9yhRANCAATWv9ycJlH3WTOQ5G1ThaYVtIlSiUL4
ZV3PnCTL0Ma2UA5+5mNmEbaS1mA2ndQc5Ul55GHy29SxF76QsajPFMP4
-----END PRIVATE KEY-----`;
export const CERT = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUA+SfNKocKX28+fTo6HX0vJUaGV0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIwMzcyNFoYDzIxMjYxMDI5
MjAzNzI0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATWv9ycJlH3WTOQ5G1ThaYVtIlSiUL4ZV3PnCTL0Ma2UA5+5mNmEbaS
1mA2ndQc5Ul55GHy29SxF76QsajPFMP4o1MwUTAdBgNVHQ4EFgQUTa1DNwRLSMMz
y9OiLwHCjwMFyI4wHwYDVR0jBBgwFoAUTa1DNwRLSMMzy9OiLwHCjwMFyI4wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAZ5fNc1LdJS4BP7Pvz7bxc
mOxGQH8XM1yXk4l1EkhmrwIhAMP+wnvhf1MZsytymGDrK6e5sr+bPN0OrGoBTXYu
cNpH
-----END CERTIFICATE-----`;

/** Speaks TLS with who connects, as a hosted PostgreSQL does, and in the clear with a database that cannot. */
export class TlsFront {
  private readonly wires = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (caller) => void this.join(caller));
  }

  static async start(databaseUrl: string): Promise<TlsFront> {
    const server = createServer();
    const front = new TlsFront(server, new URL(databaseUrl));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return front;
  }

  /** The database's address by way of this front. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    // Encrypted, with a self-signed certificate.
    url.searchParams.set('sslmode', 'no-verify');
    return url.toString();
  }

  async stop(): Promise<void> {
    for (const wire of this.wires) wire.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async join(caller: Socket): Promise<void> {
    this.keep(caller);
    // The request for TLS is all that comes before the answer.
    await once(caller, 'data');
    caller.write('S');
    const secureContext = createSecureContext({ key: KEY, cert: CERT });
    const plain = new TLSSocket(caller, { isServer: true, secureContext });
    const database = connect(Number(this.target.port), this.target.hostname);
    this.keep(plain);
    this.keep(database);
    plain.pipe(database).pipe(plain);
    plain.on('close', () => database.destroy());
    database.on('close', () => plain.destroy());
  }

  private keep(wire: Socket): void {
    this.wires.add(wire);
    wire.on('error', () => undefined);
    wire.on('close', () => this.wires.delete(wire));
  }
}
