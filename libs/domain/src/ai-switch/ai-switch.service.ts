import { CodedError } from '@app/contracts/coded.error';
import type { MessageHandler } from '@app/contracts/lead.words';
import { formatThreadId, threadIdOrNothing } from '@app/contracts/thread-id.format';
import { AiSwitchRepository } from '@app/persistence/ai-switch/ai-switch.repository';
import { Injectable } from '@nestjs/common';
import { actorOf, visibilityOf, type Principal } from '../accounts/principal.rules';
import { EventBell } from '../events/event-bell.service';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { ReplyBell } from '../jobs/reply.bell';
import { handlerOf } from '../leads/lead.presenter';
import { HandOffs } from './hand-offs.service';

class ThreadOptedOutError extends CodedError {
  readonly code = 'THREAD_OPTED_OUT';

  constructor() {
    super('The customer has unsubscribed; the agent stays off until the customer sends START.');
  }
}

export interface SetAiAnswer {
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
    private readonly bell: EventBell,
    private readonly replies: ReplyBell,
    private readonly handOffs: HandOffs,
  ) {}

  /**
   * Switches the agent on or off; off holds until somebody switches it on here. Off is answered when no part of a reply
   * can begin to be handed to the messenger any more.
   * @throws ThreadNotFoundError, ThreadOptedOutError
   */
  async setAi(by: Principal, threadId: string, aiEnabled: boolean): Promise<SetAiAnswer> {
    const uuid = threadIdOrNothing(threadId);
    const request = { threadId: uuid, aiEnabled, by: 'SYSTEM', actor: actorOf(by) };
    const of = visibilityOf(by);
    const outcome = await this.switches.switchAi(of, request);
    if (!outcome) throw new ThreadNotFoundError();
    if (outcome.verdict === 'opted_out') throw new ThreadOptedOutError();
    if (outcome.seq !== null) this.bell.ring();
    if (outcome.turn_id !== null) this.replies.ring(of.accountId, outcome.turn_id);
    // Whether it changed anything or not: another call may have switched off a moment ago.
    if (!aiEnabled) await this.handOffs.untilNone(of.accountId, uuid);
    return {
      thread_id: formatThreadId(uuid),
      ai_enabled: aiEnabled,
      // The switch ends a takeover that runs.
      message_handler: handlerOf({ ai_enabled: aiEnabled, takeover: false }),
      changed: outcome.verdict === 'switch',
      answered_pending_message: outcome.turn_id !== null,
    };
  }
}
