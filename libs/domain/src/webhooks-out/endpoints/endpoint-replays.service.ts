import { ValidationError } from '@app/contracts/coded.errors';
import { ENDPOINT_LIMITS } from '@app/contracts/webhook.words';
import {
  ReplayRepository,
  type LogSpan,
  type TimeSpan,
} from '@app/persistence/webhooks-out/replay.repository';
import type { EndpointKey } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/principal.rules';
import { Audit } from '../../audit/audit.service';
import { WorkNotifier } from '../../work/work-notifier';
import { ofEndpoint } from './endpoint.presenter';
import { EndpointDisabledError } from './endpoint.errors';
import { deliveriesOf } from '../sending/log-reading';
import { keyOf, WebhookEndpoints } from './webhook-endpoints.service';

const { replayDays } = ENDPOINT_LIMITS;

/** Events that one statement reads. It takes milliseconds, and others may go between two. */
const EVENTS_AT_ONCE = 1_000;

/** Sends endpoints what they have missed. */
@Injectable()
export class EndpointReplays {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly replays: ReplayRepository,
    private readonly audit: Audit,
    private readonly work: WorkNotifier,
  ) {}

  /**
   * Has all events of a time sent that the endpoint was to get and has not got, whatever it was: missed, failed, skipped, or to be
   * tried again later. A part at a time: what a killed process left, the same call takes.
   * @param since in the future: nothing is sent
   * @param until null: until now
   * @returns how many
   * @throws EndpointNotFoundError, EndpointDisabledError, or ValidationError for a time that is too long ago, or no span
   */
  async replay(by: Principal, id: string, since: Date, until: Date | null): Promise<{ queued: number }> {
    const endpoint = await this.endpoints.require(by, id);
    const { isRecent, endsAt } = await this.replays.timesOf(since, until, replayDays);
    if (!isRecent) refuse('since', `must lie within the last ${replayDays} days`);
    if (until && until <= since) refuse('until', 'must be later than since');
    const act = { subject: ofEndpoint(endpoint), after: { since, until: endsAt } };
    const key = keyOf(endpoint);
    const begun = await this.audit.act(
      by,
      'webhook_endpoint.replay',
      () => act,
      (entryOf) => this.replays.begin(key, entryOf),
    );
    if (!begun) throw new EndpointDisabledError();
    const time = { since, until: endsAt };
    let queued = 0;
    for (const span of await this.replays.spansOf(key, time)) queued += await this.take(key, span, time);
    await this.replays.wakeLeft(key);
    this.work.notify('webhooks-out', { accountId: key.accountId, id: key.endpointId });
    return { queued };
  }

  private async take(key: EndpointKey, span: LogSpan, time: TimeSpan): Promise<number> {
    let queued = 0;
    for (let left = span; ;) {
      const { last, events } = await this.replays.missed(key, left, time, EVENTS_AT_ONCE);
      if (last === null) return queued;
      left = { ...left, first: String(BigInt(last) + 1n) };
      if (events.length === 0) continue;
      const some = await this.replays.replay(key, deliveriesOf(key.accountId, events));
      if (some === null) throw new EndpointDisabledError();
      queued += some;
    }
  }
}

function refuse(path: string, message: string): never {
  throw new ValidationError([{ path, message }]);
}
