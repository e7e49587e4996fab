import type { StepError } from '@app/contracts/scenario.words';
import type { DialogTransaction } from '@app/persistence/scenarios/runs/dialog-transaction';
import { Injectable, Logger } from '@nestjs/common';
import {
  HttpToolCaller,
  type HttpToolConnection,
  type HttpToolFailure,
} from '../../assistants/http-tool.port';
import { SecretCipher } from '../../accounts/secret-cipher.port';
import { type ElapsedTime, TimedSendPermit } from '../../messages/dispatch/elapsed-time';
import { callHeaders, callIdOf } from './signed-call';
import { CALL_OVER_MS, CALL_TIMEOUT_MS, endOfCall } from './call.rules';
import {
  PERMIT_MS,
  type ErrandEnd,
  type ErrandKey,
  type ErrandKind,
  type PutOff,
  type ReadyErrand,
} from './errand';
import { ScenarioSecrets } from '../definition/scenario-secrets.service';
import type { CallOrder } from '../steps/step-decision';
import { openStepHeaders } from '../steps/step-fields';
import { within } from '../../work/time-limit';
import { WaitingLines } from '../runs/run-paces';

/** Calls of one scenario that a process makes at once: a fraction of what one account may have under way. */
const AT_ONCE_MAX = 16;
/** Runs for which there is no slot ask again by and by. */
const AGAIN_MS = 250;
const ASK_PER_SECOND = 50;

/** A call's slot, given back once. */
interface CallSlot {
  release(): void;
}

/** Slots for the calls of each scenario. An address that hangs holds up the calls of its scenario, and nothing else. */
class CallSlots {
  private readonly taken = new Map<string, number>();
  private readonly lines = new WaitingLines();

  /** @returns milliseconds to wait instead, where no slot is free */
  take(scenarioId: string): CallSlot | number {
    const taken = this.taken.get(scenarioId) ?? 0;
    if (taken >= AT_ONCE_MAX) return this.lines.join(scenarioId, AGAIN_MS, ASK_PER_SECOND);
    this.taken.set(scenarioId, taken + 1);
    let isTaken = true;
    return {
      release: () => {
        if (isTaken) this.giveBack(scenarioId);
        isTaken = false;
      },
    };
  }

  private giveBack(scenarioId: string): void {
    const rest = (this.taken.get(scenarioId) ?? 0) - 1;
    if (rest > 0) this.taken.set(scenarioId, rest);
    else this.taken.delete(scenarioId);
  }
}

/** So long a dialog waits for a connection, and as long for the answer. Then its other runs go on. */
const DIALOG_WAITS_MS = 1_000;
/** A connection for which its dialog did not wait is kept so long. */
const KEPT_MS = 5_000;

type Prepared = ReadyErrand<CallOrder> | PutOff | { failed: StepError };

/** What a call needs before it may begin. */
interface CallNeeds {
  connection: HttpToolConnection | HttpToolFailure;
  secrets: readonly string[];
  /** The step's own headers. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Calls of runs to addresses outside: at least once. The connection is opened first, so that nothing but the write
 * lies between the permit and the request, and a lead that leaves its stage meanwhile is never called about.
 */
@Injectable()
export class CallErrands implements ErrandKind<CallOrder> {
  readonly kind = 'call';
  private readonly logger = new Logger(CallErrands.name);
  private readonly slots = new CallSlots();
  /** By their tries. One that takes long is there for the turn that is brought forward for it. */
  private readonly preparing = new Map<string, Promise<Prepared>>();

  constructor(
    private readonly caller: HttpToolCaller,
    private readonly secrets: ScenarioSecrets,
    private readonly cipher: SecretCipher,
  ) {}

  async prepare(key: ErrandKey, order: CallOrder): Promise<Prepared> {
    const tryId = `${callIdOf(key)} ${key.attempts}`;
    const preparing = this.preparing.get(tryId) ?? this.connect(key, order);
    this.preparing.set(tryId, preparing);
    // One alone makes use of it.
    const take = (): boolean => this.preparing.get(tryId) === preparing && this.preparing.delete(tryId);
    try {
      const prepared = await within(preparing, DIALOG_WAITS_MS);
      if (prepared) return take() ? prepared : { inMs: DIALOG_WAITS_MS };
    } catch (error) {
      take();
      throw error;
    }
    const drop = (prepared: Prepared): void => {
      if (take() && 'release' in prepared) prepared.release();
    };
    const sooner = preparing.then(
      (prepared) => void setTimeout(drop, KEPT_MS, prepared).unref(),
      () => void take(),
    );
    return { inMs: CALL_OVER_MS, sooner };
  }

  private async connect(key: ErrandKey, { step }: CallOrder): Promise<Prepared> {
    const opened = await this.openSealed(key, step);
    if (!opened) {
      const message = 'Its headers or its signing secret do not open with the present key: set them anew.';
      return { failed: { code: 'SECRETS_SEALED', message } };
    }
    const slot = this.slots.take(key.run.scenario_id);
    if (typeof slot === 'number') return { inMs: slot };
    try {
      const connection = await this.caller.connect(step.url, CALL_TIMEOUT_MS);
      return new ReadyCall(key, { connection, ...opened }, slot);
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  private async openSealed(key: ErrandKey, { sealed_headers: sealed }: CallOrder['step']) {
    const { accountId, run } = key;
    const owner = { accountId, scenarioId: run.scenario_id };
    const stored = await this.secrets.find(owner);
    try {
      const headers = sealed ? openStepHeaders(this.cipher, owner, sealed) : {};
      return { headers, secrets: this.secrets.opened(owner, stored) };
    } catch (error) {
      this.logger.error(
        { err: error, scenario_id: owner.scenarioId },
        'A scenario cannot call, for what it keeps sealed does not open.',
      );
      return null;
    }
  }
}

/** A call whose connection is open, or could not be opened. */
class ReadyCall implements ReadyErrand<CallOrder> {
  readonly waits = false;
  private begun: { order: CallOrder; at: Date; elapsed: ElapsedTime } | null = null;

  constructor(
    readonly key: ErrandKey,
    private readonly needs: CallNeeds,
    private readonly slot: CallSlot,
  ) {}

  get waitLimit() {
    if (!this.begun) throw new Error('a call is awaited that was not begun');
    return { ms: DIALOG_WAITS_MS, until: new Date(+this.begun.at + CALL_OVER_MS) };
  }

  async whenDue(): Promise<void> {
    // A call has no pace.
  }

  begin({ view }: DialogTransaction, order: CallOrder, elapsed: ElapsedTime): { messageId?: string } {
    this.begun = { order, at: view.dialog.at, elapsed };
    return {};
  }

  /** A process that stops waits for the answer too, but not for longer than any stop takes. */
  async carryOut(onWritten: () => void): Promise<ErrandEnd> {
    const { connection } = this.needs;
    const answer = connection.kind === 'connected' ? await this.send(connection, onWritten) : connection;
    const { run, index, attempts } = this.key;
    const { withheld = 0 } = run.progress.find((step) => step.index === index) ?? {};
    return endOfCall(answer, attempts + 1, withheld);
  }

  release(): void {
    this.slot.release();
    const { connection } = this.needs;
    if (connection.kind === 'connected') connection.close();
  }

  private send(connection: HttpToolConnection, onWritten: () => void) {
    if (!this.begun) throw new Error('a call is carried out that was not begun');
    const { order, at, elapsed } = this.begun;
    const { secrets, headers } = this.needs;
    const { method, url } = order.step;
    const body = order.body === undefined ? null : JSON.stringify(order.body);
    return connection.send({
      ...{ method, url, body },
      headers: { ...headers, ...callHeaders(this.key, body, secrets, at) },
      permit: new TimedSendPermit(elapsed, PERMIT_MS / 2, onWritten),
    });
  }
}
