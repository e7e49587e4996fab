import type { SendQueueKey } from '@app/persistence/messages/batches/send-queue.repository';
import { Injectable } from '@nestjs/common';
import { SendPacer } from './send-pacer';

/** Most numbers whose pace is kept. Beyond it, the number used longest ago starts with full buckets again. */
const PACERS_MAX = 10_000;

/** The pace of each number that this process sends by. */
@Injectable()
export class SendPacers {
  private readonly pacers = new Map<string, SendPacer>();

  of({ accountId, botId, channel }: SendQueueKey, messagesPerSecond: number): SendPacer {
    const key = `${accountId}/${botId}/${channel}/${messagesPerSecond}`;
    const pacer = this.pacers.get(key) ?? new SendPacer(messagesPerSecond);
    this.pacers.delete(key);
    this.pacers.set(key, pacer);
    for (const oldest of this.pacers.keys()) {
      if (this.pacers.size <= PACERS_MAX) break;
      this.pacers.delete(oldest);
    }
    return pacer;
  }
}
