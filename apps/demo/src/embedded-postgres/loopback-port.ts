import { createServer } from 'node:net';

/**
 * Asks the system for a TCP port on 127.0.0.1. Another program may take it before it is used.
 * @param wanted a port, or 0 for any
 * @returns the port, or undefined when the wanted one is taken
 */
export function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ host: '127.0.0.1', port: wanted, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
