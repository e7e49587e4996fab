import type { Socket } from 'socket.io';

type Connection = Socket['conn'];
type Transport = Connection['transport'];

/**
 * Of one connection, whoever it is. Boards send far fewer: 20 requests, a pong, and what belongs to connecting. Each
 * costs the process some work before anything is known of its sender: 100,000 a second stopped all others (measured).
 */
const PACKETS_PER_SECOND_MAX = 300;

/**
 * Ends a connection that sends too many packets, from its first one on and also once it is closed, while its websocket
 * still waits for the other side's goodbye; and one that reads too little of what it is answered with.
 * @param isFlooded whether too much waits for the connection
 */
export function limitPackets(conn: Connection, isFlooded: () => boolean): void {
  const watched = new WeakSet<Transport>();
  let second = 0;
  let packets = 0;
  const watch = (transport: Transport): void => {
    // Said anew with each probe of an upgrade.
    if (watched.has(transport)) return;
    watched.add(transport);
    transport.on('packet', () => {
      const now = Math.floor(performance.now() / 1000);
      packets = now === second ? packets + 1 : 1;
      second = now;
      if (packets <= PACKETS_PER_SECOND_MAX && !isFlooded()) return;
      conn.close(true);
      terminate(transport);
    });
  };
  watch(conn.transport);
  conn.on('upgrading', watch);
}

/** Polling's connections may be a proxy's, and carry others' requests: they are left. */
function terminate(transport: Transport): void {
  const { socket } = transport as unknown as { socket?: { terminate?(): void } };
  socket?.terminate?.();
}
