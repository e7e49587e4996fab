import type { TroubleCode } from '@app/contracts/message.words';
import {
  BotTroubleRepository,
  numberKeyOf,
  type NumberKey,
} from '@app/persistence/bots/bot-trouble.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';

/** Why a number sends nothing, and what a person can do about it. */
export interface Trouble {
  code: TroubleCode;
  message: string;
}

/**
 * Tells when a number begins to send nothing until a person has seen to it, and when it sends again: when it is connected
 * anew, when its provider says so, or when a message that was sent since has arrived. That a message was accepted shows
 * nothing: Meta takes messages of an account that has not paid, and says so later.
 */
@Injectable()
export class BotTroubles {
  private known = new Set<string>();

  constructor(
    private readonly troubles: BotTroubleRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async begin(number: NumberKey, { code, message }: Trouble): Promise<void> {
    if (await this.troubles.begin(number, code, message)) this.eventNotifier.notify(number.accountId);
  }

  /** Whether a message that has arrived may end a trouble. Never asks the database. */
  mayBeOver(number: Pick<NumberKey, 'botId' | 'channel'>): boolean {
    return this.known.has(numberKeyOf(number));
  }

  /** A message of the number has arrived. Another process may have ended the trouble; a sweep knows of one that goes on. */
  async arrived(number: NumberKey, messageId: string): Promise<void> {
    this.known.delete(numberKeyOf(number));
    if (await this.troubles.endByMessage(number, messageId)) this.eventNotifier.notify(number.accountId);
  }

  /** Learns which numbers are in trouble, and tells of those whose stop is over. Call it every second or so while there are any. */
  async sweep(): Promise<void> {
    this.known = new Set((await this.troubles.inTrouble()).map(numberKeyOf));
    if (this.known.size > 0 && (await this.troubles.endOfStops()) > 0) this.eventNotifier.notify(null);
  }
}
