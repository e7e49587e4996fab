import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { processLimits } from '@app/config/process-limits';

export const LINGERING_LIMITS = processLimits('lingering', {
  /** From the answer's end until the connection is destroyed. */
  forMs: 10_000,
  /** Of one connection. More than the rest of an upload that is a little too large. */
  bytes: 128 * 1024 * 1024,
  /** Of the process at once. Further ones are closed without being read. */
  connections: 256,
});

/**
 * Closes connections so that a caller who is still sending gets the answer (RFC 9112, section 9.6).
 *
 * A refusal may end a connection before the request's body is read. If the socket were destroyed then, the kernel would
 * answer what still arrives with RST, on which the caller's kernel throws the answer away: the caller would see EPIPE
 * instead of 413. So only our side is closed behind the answer. What the caller sends is read and dropped until it
 * closes its own side, within bounds.
 */
export class LingeringClose {
  private readonly latest = new WeakMap<Socket, ServerResponse>();
  private readonly lingering = new Set<Socket>();
  private ended = false;

  /** For each connection of a server: Node ends one by `destroySoon` behind its last answer. */
  watch(server: Server): void {
    server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
      this.latest.set(socket, answer);
      // An idle connection keeps no request: its body may have megabytes. Node ends a connection before this event.
      answer.once('close', () => {
        if (this.latest.get(socket) === answer) this.latest.delete(socket);
      });
    });
    server.on('connection', (socket: Socket) => {
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => (this.mustLinger(socket) ? this.linger(socket) : destroySoon());
    });
  }

  /** Destroys what lingers, and lets nothing linger any more: a process that stops does not wait for it. */
  end(): void {
    this.ended = true;
    for (const socket of this.lingering) socket.destroy();
  }

  /** Whether the answer is given, and more of its request may come. */
  private mustLinger(socket: Socket): boolean {
    const answer = this.latest.get(socket);
    return (
      answer !== undefined &&
      answer.writableEnded &&
      !answer.req.complete &&
      socket.writable &&
      socket.readable &&
      !this.ended &&
      this.lingering.size < LINGERING_LIMITS.connections
    );
  }

  private linger(socket: Socket): void {
    this.lingering.add(socket);
    const timer = setTimeout(() => socket.destroy(), LINGERING_LIMITS.forMs).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      this.lingering.delete(socket);
    });
    socket.once('end', () => socket.destroy());
    socket.end();
    // Where nobody took the body Node has stopped reading. A listener that goes with the parser starts it again in the
    // next tick, so the parser is detached right behind it. Nothing arrives in between.
    socket.resume();
    process.nextTick(drop, socket);
  }
}

/** Reads and drops. The parser gets nothing more, so what looks like a request in the rest is none. */
function drop(socket: Socket): void {
  let bytes = 0;
  // The parser's own. Node gives the socket's bytes to listeners, instead of to the parser itself, once there is one.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGERING_LIMITS.bytes) socket.destroy();
  });
}
