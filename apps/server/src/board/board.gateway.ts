import { CodedError } from '@app/contracts/coded.error';
import { BOARD_NAMESPACE, type BoardAck, type BoardClientEvents } from '@app/contracts/board.events';
import { ValidationError } from '@app/contracts/validation.error';
import { RateLimitedError } from '@app/domain/accounts/account.errors';
import { ApiKeysService } from '@app/domain/accounts/api-keys.service';
import { requireScope } from '@app/domain/accounts/principal.rules';
import { boardKey } from '@app/domain/board/board.address';
import { BoardService } from '@app/domain/board/board.service';
import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import {
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  type OnGatewayInit,
} from '@nestjs/websockets';
import { InternalError } from '../http/http.errors';
import { BoardRooms, type BoardNamespace, type BoardSocket } from './board-rooms.service';
import { BoardRequest } from './board.requests';
import { ConnectionBacklogs } from './connection-backlog.tracker';
import { OriginRule } from './origin.rule';
import { endFloods } from './packet.limit';
import { ConnectionCounter } from './connection.counter';

const REVOCATION_CHECK_MS = 1_000;
const REQUESTS_PER_SECOND = 20;
const BOARDS_PER_SOCKET = 50;

class TooManyBoardsError extends CodedError {
  readonly code = 'RATE_LIMITED';

  constructor() {
    super(
      `This connection shows ${BOARDS_PER_SOCKET} boards already. Close one with board:close, or connect once more.`,
    );
  }
}

/** A wrong namespace is refused before the key is checked, as a wrong path is. */
class NoSuchNamespaceError extends CodedError {
  readonly code = 'NOT_FOUND';

  constructor() {
    super(
      `The board is the namespace ${BOARD_NAMESPACE}: connect to the service's address with it at the end.`,
    );
  }
}

class NoSuchRequestError extends ValidationError {
  constructor(names: readonly string[]) {
    super([{ path: '', message: `there is no such request; there are ${names.join(', ')}` }]);
  }
}

type Acknowledge = (answer: BoardAck<unknown>) => void;
type Act = (socket: BoardSocket, request: BoardRequest, reply: Acknowledge) => Promise<void>;

/** The live board: recognises who connects, and carries requests and events. */
@WebSocketGateway({ namespace: BOARD_NAMESPACE })
export class BoardGateway
  implements
    OnGatewayInit<BoardNamespace>,
    OnGatewayConnection<BoardSocket>,
    OnGatewayDisconnect<BoardSocket>,
    BeforeApplicationShutdown
{
  private readonly connectionCounter = new ConnectionCounter();
  private readonly logger = new Logger(BoardGateway.name);
  private readonly acts = new Map<string, Act>(
    Object.entries({
      'board:open': (...asked) => this.open(...asked),
      'board:more': (...asked) => this.more(...asked),
      'board:close': (...asked) => this.close(...asked),
    } satisfies Record<keyof BoardClientEvents, Act>),
  );
  private namespace: BoardNamespace | null = null;
  private revocationTimer: NodeJS.Timeout | null = null;
  private checkingKeys = false;
  private keysUnchecked = false;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly board: BoardService,
    private readonly rooms: BoardRooms,
    private readonly backlogs: ConnectionBacklogs,
    private readonly origins: OriginRule,
  ) {}

  afterInit(namespace: BoardNamespace): void {
    this.namespace = namespace;
    this.rooms.useNamespace(namespace);
    // From the first packet on, before anybody is recognised.
    namespace.server.engine.on('connection', (conn: BoardSocket['conn']) => {
      this.backlogs.track(conn);
      endFloods(conn, () => this.backlogs.isFlooded(conn));
    });
    // Nest's guards do not run on a socket's connect, and CORS does not cover the websocket transport.
    namespace.use((socket, next) => {
      this.admit(socket).then(
        () => next(),
        (error: unknown) => next(this.refusal(error)),
      );
    });
    // Socket.IO lets anybody stay in its own namespace, and refuses the others without a code.
    for (const other of ['/', /.*/]) {
      namespace.server.of(other).use((_socket, next) => {
        next(this.refusal(new NoSuchNamespaceError()));
      });
    }
    this.revocationTimer = setInterval(() => void this.checkKeys(), REVOCATION_CHECK_MS);
  }

  handleConnection(socket: BoardSocket): void {
    this.connectionCounter.came(socket.data.principal.keyId);
    let second = 0;
    let requests = 0;
    // Whatever its name and payload: a client that waits for an acknowledgement gets one, and everything is counted.
    socket.onAny((name: string, ...args: unknown[]) => {
      // What came in one packet with the client's leave-taking is still handed over.
      if (!socket.connected) return;
      const now = Math.floor(performance.now() / 1000);
      requests = now === second ? requests + 1 : 1;
      second = now;
      const acknowledge = args.at(-1);
      if (typeof acknowledge !== 'function') return;
      const reply = acknowledge as Acknowledge;
      const refuse = (error: unknown): void => {
        const { code, message } = this.coded(error);
        reply({ ok: false, error: { code, message } });
      };
      if (requests > REQUESTS_PER_SECOND) return refuse(new RateLimitedError(REQUESTS_PER_SECOND, 1, 1));
      const act = this.acts.get(name);
      if (!act) return refuse(new NoSuchRequestError([...this.acts.keys()]));
      act(socket, new BoardRequest(args.length > 1 ? args[0] : {}), reply).catch(refuse);
    });
  }

  handleDisconnect(socket: BoardSocket): void {
    this.rooms.leaveAll(socket);
    this.connectionCounter.left(socket.data.principal.keyId);
  }

  beforeApplicationShutdown(): void {
    if (this.revocationTimer) clearInterval(this.revocationTimer);
    // Not by a disconnect packet, after which clients stay away: a lost connection makes them look for another process.
    for (const socket of this.namespace?.sockets.values() ?? []) socket.conn.close();
  }

  private async open(socket: BoardSocket, request: BoardRequest, reply: Acknowledge): Promise<void> {
    const assistantId = request.text('assistant_id');
    const since = request.optionalPosition('since');
    request.requireValid();
    const address = this.board.address(socket.data.principal, assistantId);
    const shown = this.rooms.boardsOf(socket);
    if (shown.size >= BOARDS_PER_SOCKET && !shown.has(boardKey(address))) throw new TooManyBoardsError();
    await this.rooms.open(socket, address, since, (data) => reply({ ok: true, data }));
  }

  private async more(socket: BoardSocket, request: BoardRequest, reply: Acknowledge): Promise<void> {
    const assistantId = request.text('assistant_id');
    const statusId = request.textOrNull('status_id');
    const cursor = request.text('cursor');
    request.requireValid();
    const address = this.board.address(socket.data.principal, assistantId);
    reply({ ok: true, data: await this.board.more(address, statusId, cursor) });
  }

  private async close(socket: BoardSocket, request: BoardRequest, reply: Acknowledge): Promise<void> {
    const assistantId = request.text('assistant_id');
    request.requireValid();
    const address = this.board.address(socket.data.principal, assistantId);
    this.rooms.leave(socket, address);
    reply({ ok: true, data: null });
  }

  private async admit(socket: BoardSocket): Promise<void> {
    this.origins.requireOwn(socket.handshake.headers);
    const auth = socket.handshake.auth as { api_key?: unknown } | null | undefined;
    const key = auth?.api_key;
    const principal = await this.keys.recognise(typeof key === 'string' ? key : undefined);
    requireScope(principal, ['leads']);
    this.connectionCounter.requireRoom(principal.keyId);
    Object.assign(socket.data, { principal, boards: new Map() } satisfies BoardSocket['data']);
  }

  /** The refusal of a connection: its code is the message of the client's `connect_error`, and in `data`. */
  private refusal(error: unknown): Error & { data: { code: string; message: string } } {
    const { code, message } = this.coded(error);
    return Object.assign(new Error(code), { data: { code, message } });
  }

  private coded(error: unknown): CodedError {
    if (error instanceof CodedError) return error;
    this.logger.error({ err: error }, 'A board request failed by our own fault.');
    return new InternalError(error);
  }

  /** One check at a time: with a database that does not answer, each would take a connection. */
  private async checkKeys(): Promise<void> {
    if (this.checkingKeys || !this.namespace || this.namespace.sockets.size === 0) return;
    this.checkingKeys = true;
    try {
      await this.disconnectRevoked([...this.namespace.sockets.values()]);
      if (this.keysUnchecked) this.logger.log('The keys behind the open boards are checked again.');
      this.keysUnchecked = false;
    } catch (error) {
      if (!this.keysUnchecked)
        this.logger.warn(
          { err: error },
          'The keys behind the open boards could not be checked; trying again each second.',
        );
      this.keysUnchecked = true;
    } finally {
      this.checkingKeys = false;
    }
  }

  /**
   * Checks the keys of the open sockets. A revoked, expired, narrowed or moved key loses its boards within two seconds.
   */
  private async disconnectRevoked(sockets: readonly BoardSocket[]): Promise<void> {
    const keyIds = new Set(sockets.map((socket) => socket.data.principal.keyId));
    const living = await this.keys.stillActive([...keyIds]);
    for (const socket of sockets) {
      const principal = living.get(socket.data.principal.keyId);
      const shown = [...this.rooms.boardsOf(socket).values()];
      const mayStay =
        principal?.scopes.includes('leads') &&
        shown.every(
          ({ accountId, assistantId }) =>
            principal.accountId === accountId && principal.assistantIds.includes(assistantId),
        );
      if (principal && mayStay) socket.data.principal = principal;
      else socket.disconnect(true);
    }
    await this.keys.noteBoards([...living.keys()]);
  }
}
