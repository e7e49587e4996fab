import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@app/contracts/coded.errors';
import type { MessageHandler } from '@app/contracts/lead.words';
import { formatThreadId, threadIdOrNothing } from '@app/contracts/uuid.format';
import { ReplyPartRepository } from '@app/persistence/agent/reply-part.repository';
import { AiSwitchRepository } from '@app/persistence/ai-switch/ai-switch.repository';
import { Injectable } from '@nestjs/common';
import { callOf, setterOf, visibilityOf, type Principal } from '../accounts/principal.rules';
import { EventNotifier } from '../events/event-notifier.service';
import { ErasedThreads } from '../leads/erased-threads';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { handlerOf } from '../leads/lead.presenter';
import { ReplyAbility } from '../leads/reply-ability';
import { WorkNotifier } from '../work/work-notifier';

const LOOK_EVERY_MS = 2;

/** Parts of replies between their send permit and their write. */
@Injectable()
export class SendPermits {
  constructor(private readonly parts: ReplyPartRepository) {}

  /**
   * Resolves when no process holds a send permit for the dialog. That takes some milliseconds, and a second at most,
   * because an unused permit is void then. Call it after the switch is committed, so that no further permit is
   * granted.
   */
  async untilNone(accountId: string, threadId: string): Promise<void> {
    while (await this.parts.anyUnderWay(accountId, threadId)) await sleep(LOOK_EVERY_MS);
  }
}

class ThreadOptedOutError extends CodedError {
  readonly code = 'THREAD_OPTED_OUT';

  constructor() {
    super('The customer has unsubscribed; the agent stays off until the customer sends START.');
  }
}

interface SetAiAnswer {
  thread_id: string;
  ai_enabled: boolean;
  message_handler: MessageHandler;
  changed: boolean;
  answered_pending_message: boolean;
}

/** The permanent switch of the agent in one dialog. */
@Injectable()
export class AiSwitchService {
  constructor(
    private readonly switches: AiSwitchRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly work: WorkNotifier,
    private readonly sendPermits: SendPermits,
    private readonly ability: ReplyAbility,
    private readonly erased: ErasedThreads,
  ) {}

  /**
   * Switches the agent on or off. Off lasts until it is switched on here. Off is answered once no further part of a
   * reply can reach the messenger.
   * @throws ThreadNotFoundError, ThreadErasedError, ThreadOptedOutError
   */
  async setAi(by: Principal, threadId: string, aiEnabled: boolean): Promise<SetAiAnswer> {
    const uuid = threadIdOrNothing(threadId);
    const request = {
      threadId: uuid,
      aiEnabled,
      by: setterOf(by),
      ...callOf(by),
      hasModel: this.ability.hasModel,
      cipherKeyId: this.ability.cipherKeyId,
    };
    const of = visibilityOf(by);
    const outcome = await this.switches.switchAi(of, request);
    if (!outcome) throw new ThreadNotFoundError();
    if (outcome.verdict === 'opted_out') {
      // A dialog that was erased is closed as one whose customer has opted out.
      await this.erased.refuseErased(of, uuid);
      throw new ThreadOptedOutError();
    }
    if (outcome.seq !== null) this.eventNotifier.notify(of.accountId);
    if (outcome.reply_id !== null)
      this.work.notify('replies', { accountId: of.accountId, id: outcome.reply_id });
    // Also when it changed nothing: another call may have just switched off.
    if (!aiEnabled)
      for (const id of [uuid, ...outcome.others]) await this.sendPermits.untilNone(of.accountId, id);
    return {
      thread_id: formatThreadId(uuid),
      ai_enabled: aiEnabled,
      // The switch ends a running takeover.
      message_handler: handlerOf({ ai_enabled: aiEnabled, takeover: false }),
      changed: outcome.verdict === 'switch',
      answered_pending_message: outcome.reply_id !== null,
    };
  }
}
