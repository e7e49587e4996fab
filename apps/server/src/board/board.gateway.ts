import { BOARD_NAMESPACE, type BoardAck, type BoardPage } from '@app/contracts/board-events';
import { ApiKeysService } from '@app/domain/accounts/keys/api-keys.service';
import { UnauthorizedError } from '@app/domain/accounts/account.errors';
import { credentialIdOf, Principals, type Credential } from '@app/domain/accounts/principals.service';
import { isPerson, mayGoOn, requireMay, type Principal } from '@app/domain/accounts/principal.rules';
import type { UnknownCaller } from '@app/domain/audit/audit.service';
import { boardKey, type BoardAddress, type BoardView } from '@app/domain/board/board-address';
import { BoardService } from '@app/domain/board/board.service';
import { PresenceService } from '@app/domain/board/presence.service';
import { Logger, UseFilters, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  Ack,
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  type OnGatewayInit,
} from '@nestjs/websockets';
import {
  BoardErrorFilter,
  boardErrorOf,
  type Acknowledge,
  NoSuchNamespaceError,
  TooManyBoardsError,
} from './board.errors';
import { BoardRooms, type BoardNamespace, type BoardSocket } from './board-rooms.service';
import { BoardCloseRequest, BoardMoreRequest, BoardOpenRequest, PresenceSetRequest } from './board.request';
import { ConnectionBacklogs } from './connection-backlog-tracker';
import { addressBehind } from '../http/auth/caller-network';
import { OriginRule } from '../http/auth/origin.rules';
import { isForbidden, RefusalAudit } from '../http/auth/refusal-audit';
import { SessionCookie } from '../http/auth/session-cookie';
import { filterOf, type ThreadFilterRequest } from '../http/routes/thread-filter.request';
import type { Express } from 'express';
import { endFloods } from './board-socket-adapter';
import { ConnectionCounter, limitRequests } from './board-limits';

const REVOCATION_CHECK_MS = 1_000;
const BOARDS_PER_SOCKET = 50;

/** The live board: recognises who connects, takes requests and sends events. */
@WebSocketGateway({ namespace: BOARD_NAMESPACE })
@UseFilters(BoardErrorFilter)
export class BoardGateway
  implements
    OnGatewayInit<BoardNamespace>,
    OnGatewayConnection<BoardSocket>,
    OnGatewayDisconnect<BoardSocket>,
    BeforeApplicationShutdown
{
  private readonly connectionCounter = new ConnectionCounter();
  private readonly logger = new Logger(BoardGateway.name);
  private namespace: BoardNamespace | null = null;
  private revocationTimer: NodeJS.Timeout | null = null;
  private checkingPrincipals = false;
  private principalsUnchecked = false;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly board: BoardService,
    private readonly rooms: BoardRooms,
    private readonly backlogs: ConnectionBacklogs,
    private readonly origins: OriginRule,
    private readonly principals: Principals,
    private readonly cookie: SessionCookie,
    private readonly presence: PresenceService,
    private readonly refusals: RefusalAudit,
    private readonly http: HttpAdapterHost,
  ) {}

  get openSockets(): number {
    return this.connectionCounter.total;
  }

  afterInit(namespace: BoardNamespace): void {
    this.namespace = namespace;
    this.rooms.useNamespace(namespace);
    // From the first packet on, before it is known whose it is.
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
    // Socket.IO allows everyone in its default namespace, and refuses the others without a code.
    for (const other of ['/', /.*/]) {
      namespace.server.of(other).use((_socket, next) => {
        next(this.refusal(new NoSuchNamespaceError()));
      });
    }
    this.revocationTimer = setInterval(() => void this.checkPrincipals(), REVOCATION_CHECK_MS);
  }

  handleConnection(socket: BoardSocket): void {
    this.connectionCounter.came(socket.data.principal.id);
    limitRequests(socket);
  }

  handleDisconnect(socket: BoardSocket): void {
    this.rooms.leaveAll(socket);
    this.presence.leave(socket.id);
    this.connectionCounter.left(socket.data.principal.id);
  }

  beforeApplicationShutdown(): void {
    if (this.revocationTimer) clearInterval(this.revocationTimer);
    // Not by a disconnect packet, after which clients stay away: after a lost connection they look for another
    // process.
    for (const socket of this.namespace?.sockets.values() ?? []) socket.conn.close();
  }

  /** Acknowledges by itself, so that the answer goes out before the board's first live event. */
  @SubscribeMessage('board:open')
  async open(
    @ConnectedSocket() socket: BoardSocket,
    @MessageBody() { assistant_id: assistantId, filter, ...opening }: BoardOpenRequest,
    @Ack() reply: Acknowledge,
  ): Promise<void> {
    const address = this.addressOf(socket, assistantId);
    const requireLast = this.rooms.turnOf(socket, address);
    const view = filter ? await this.viewOf(socket, address, filter) : { ...address, filter: null };
    requireLast();
    const shown = this.rooms.boardsOf(socket);
    if (shown.size >= BOARDS_PER_SOCKET && !shown.has(boardKey(address)))
      throw new TooManyBoardsError(BOARDS_PER_SOCKET);
    await this.rooms.open(socket, view, opening, (data) => reply({ ok: true, data }));
  }

  @SubscribeMessage('board:more')
  async more(
    @ConnectedSocket() socket: BoardSocket,
    @MessageBody() { assistant_id: assistantId, filter, status_id: statusId, cursor, sort }: BoardMoreRequest,
  ): Promise<BoardAck<BoardPage>> {
    const address = this.addressOf(socket, assistantId);
    const view = filter ? await this.viewOf(socket, address, filter) : { ...address, filter: null };
    return { ok: true, data: await this.board.more(view, statusId, cursor, sort) };
  }

  @SubscribeMessage('board:close')
  close(
    @ConnectedSocket() socket: BoardSocket,
    @MessageBody() { assistant_id: assistantId }: BoardCloseRequest,
  ): BoardAck<null> {
    const address = this.addressOf(socket, assistantId);
    this.rooms.turnOf(socket, address);
    this.rooms.leave(socket, address);
    return { ok: true, data: null };
  }

  @SubscribeMessage('presence:set')
  async setPresence(
    @ConnectedSocket() socket: BoardSocket,
    @MessageBody() { thread_id: threadId, typing = false }: PresenceSetRequest,
  ): Promise<BoardAck<null>> {
    await this.presence.set(socket.data.principal, socket.id, threadId, typing);
    return { ok: true, data: null };
  }

  /** The agent's board, as far as the socket's principal may see it. */
  private addressOf(socket: BoardSocket, assistantId: string): BoardAddress {
    return this.board.address(socket.data.principal, assistantId);
  }

  /** The leads of the board that pass a filter. */
  private viewOf(
    socket: BoardSocket,
    address: BoardAddress,
    filter: ThreadFilterRequest,
  ): Promise<BoardView> {
    return this.board.filteredView(socket.data.principal, address, filterOf(filter));
  }

  private async admit(socket: BoardSocket): Promise<void> {
    let caller: Principal | UnknownCaller = { type: null };
    try {
      caller = await this.principals.recognise(this.credentialOf(socket.handshake));
      requireMay(caller, 'board.open');
    } catch (error) {
      if (isForbidden(error))
        await this.refusals.keep({ ...caller, ip: this.addressOfCaller(socket) }, 'board.open', error);
      throw error;
    }
    const principal = caller;
    this.connectionCounter.requireRoom(principal.id);
    Object.assign(socket.data, {
      principal,
      boards: new Map(),
      turns: new Map(),
    } satisfies BoardSocket['data']);
  }

  private addressOfCaller({ handshake: { address: remote, headers } }: BoardSocket): string {
    const express = this.http.httpAdapter.getInstance<Express>();
    const isTrusted = express.get('trust proxy fn') as Parameters<typeof addressBehind>[0];
    return addressBehind(isTrusted, { remote, forwarded: headers['x-forwarded-for'] });
  }

  /** A key, or the cookie of a session from a page of this service. */
  private credentialOf({ headers, auth, query }: BoardSocket['handshake']): Credential {
    this.origins.requireNoForeign(headers);
    const key = (auth as { api_key?: unknown } | null | undefined)?.api_key;
    if (!this.cookie.isGiven(headers)) {
      if (typeof key !== 'string' || key === '') throw new UnauthorizedError();
      return { key };
    }
    const sessionToken = key === undefined ? this.cookie.tokenOf(headers) : null;
    if (sessionToken === null) throw new UnauthorizedError();
    this.origins.requireOwnSocket(headers, query.transport === 'polling');
    return { sessionToken };
  }

  /** The refusal of a connection. Its code is the message of the client's `connect_error`, and also in `data`. */
  private refusal(error: unknown): Error & { data: { code: string; message: string } } {
    const { code, message } = boardErrorOf(error);
    return Object.assign(new Error(code), { data: { code, message } });
  }

  /** One check at a time: while the database does not answer, each would take a connection. */
  private async checkPrincipals(): Promise<void> {
    if (this.checkingPrincipals || !this.namespace || this.namespace.sockets.size === 0) return;
    this.checkingPrincipals = true;
    try {
      await this.disconnectRevoked([...this.namespace.sockets.values()]);
      if (this.principalsUnchecked)
        this.logger.log('The keys and sessions behind the open boards are checked again.');
      this.principalsUnchecked = false;
    } catch (error) {
      if (!this.principalsUnchecked)
        this.logger.warn(
          { err: error },
          'The keys and sessions behind the open boards could not be checked; trying again every second.',
        );
      this.principalsUnchecked = true;
    } finally {
      this.checkingPrincipals = false;
    }
  }

  /**
   * Checks the keys and sessions of the open sockets. One that is revoked, expired, over, narrowed or moved loses its
   * boards within two seconds.
   */
  private async disconnectRevoked(sockets: readonly BoardSocket[]): Promise<void> {
    const shown = sockets.map(({ data }) => data.principal);
    const living = await this.principals.stillActive([
      ...new Map(shown.map((principal) => [credentialIdOf(principal), principal])).values(),
    ]);
    for (const socket of sockets) {
      const principal = living.get(credentialIdOf(socket.data.principal));
      const place = this.presence.placeOf(socket.id);
      const boards = [...this.rooms.boardsOf(socket).values(), ...(place ? [place] : [])];
      const mayStay =
        principal &&
        mayGoOn(principal, 'board.open') &&
        boards.every(
          ({ accountId, assistantId }) =>
            principal.accountId === accountId && principal.assistantIds.includes(assistantId),
        );
      if (mayStay) socket.data.principal = principal;
      else socket.disconnect(true);
    }
    const keys = [...living.values()].filter((principal) => !isPerson(principal));
    await this.keys.noteBoards([...new Set(keys.map(({ id }) => id))]);
  }
}
