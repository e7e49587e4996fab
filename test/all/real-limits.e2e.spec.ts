import { PRESENCE_TIMES } from '@app/domain/board/presence-notices';
import { DOWNLOAD_TIMES } from '@app/domain/media/media-download.port';
import { RETRY_TIMES } from '@app/domain/webhooks-out/sending/delivery-outcome';
import { SERVING_LIMITS } from '@app/domain/webhooks-out/sending/webhooks-out.worker';
import { BEGIN_WITHIN_MS, WORK_TIMES } from '@app/domain/work/work-times';
import { MODEL_LIMITS } from '@app/integrations/model/model-limits';
import { EXACT_LIMIT_MAX } from '@app/persistence/accounts/keys/admission.statements';
import { SLOTS_OF_ACCOUNTS, SLOTS_TO_SWITCH_OFF } from '@app/persistence/database/connection-budget';
import { CONNECTION_LIMITS } from '@app/persistence/database/data-source-options';
import { NOTIFICATION_LIMITS } from '@app/persistence/work/notifications-connection';
import { LINGERING_LIMITS } from '../../apps/server/src/http/body/lingering-close';
import { READER_LIMITS } from '../../apps/server/src/http/body/reader-limits';
import { limits } from '../support/programs/test.limits';
import { openScene } from '../support/scenes/base.scene';
import { newCustomer, setReplyScene } from '../support/scenes/reply.scene';

/** What the documentation promises after a kill. */
const RESUMED_WITHIN_MS = 20_000;

it('limits are those that the documentation tells of, where no setting has others', () => {
  expect({ ...WORK_TIMES, beginWithinMs: BEGIN_WITHIN_MS }).toEqual({
    ...{ leaseMs: 10_000, sweepMs: 1_000, replySweepMs: 200, webhookLeaseMs: 15_000, claimGraceMs: 5_000 },
    ...{ statisticsMs: 2_000, figuresMs: 5_000, retentionMs: 300_000, beginWithinMs: 4_500 },
  });
  expect(PRESENCE_TIMES).toEqual({
    ...{ presentForMs: 30_000, tellEveryMs: 50, expireEveryMs: 1_000, repeatedEveryMs: 10_000 },
  });
  const [minute, hour] = [60_000, 3_600_000];
  expect(RETRY_TIMES).toEqual({
    retriesMs: [
      ...[5_000, 5 * minute, 30 * minute],
      ...[2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
    ],
    ...{ probeMs: 1_000, probeLongestMs: 15_000 },
  });
  expect(SERVING_LIMITS).toEqual({ endpoints: 500, turnMs: 5_000 });
  expect(DOWNLOAD_TIMES).toEqual({ connectMs: 10_000, silenceMs: 15_000, wholeMs: 300_000 });
  expect(MODEL_LIMITS).toMatchObject({ silenceMs: 30_000, wholeMs: 60_000, answerBytes: 2 * 1024 * 1024 });
  expect(READER_LIMITS).toEqual({ silenceMs: 60_000, bytesPerSecondMin: 32 * 1024 });
  expect(LINGERING_LIMITS).toEqual({ forMs: 10_000, bytes: 128 * 1024 * 1024, connections: 256 });
  expect(CONNECTION_LIMITS).toMatchObject({
    ...{ statement_timeout: 5_000, lock_timeout: 2_000, query_timeout: 8_000 },
  });
  expect(NOTIFICATION_LIMITS).toMatchObject({ pingMs: 5_000, reconnectMs: 500 });
  expect([SLOTS_OF_ACCOUNTS, SLOTS_TO_SWITCH_OFF, EXACT_LIMIT_MAX]).toEqual([16, 3, 240]);
});

it('a limit that does not exist stops the start', async () => {
  const scene = await openScene({ servers: 0 });
  try {
    await expect(scene.addServer(limits({ 'work.leeseMs': 5_000 }))).rejects.toThrow(
      /ended with 1 .*PROCESS_LIMITS has "work.leeseMs", and there is no such limit/s,
    );
  } finally {
    await scene.close();
  }
});

describe('processes with the own limits of the product', () => {
  const scene = setReplyScene({ servers: 0 });

  it('one that is killed amid a reply is followed by another within 20 seconds', async () => {
    const killed = await scene.addServer();
    const customer = newCustomer();
    const when = customer.phone;
    await scene.model.reply({ text: 'Первый ответ.', hold: 'end', when }, { text: 'Второй ответ.', when });
    const threadId = await scene.write(customer, `Мой номер ${when}`);
    await scene.model.held(when);
    await scene.addServer();
    await killed.kill('SIGKILL');
    expect(await scene.untilSaid(customer, 1, RESUMED_WITHIN_MS)).toEqual(['Второй ответ.']);
    await scene.untilQuiet(threadId);
    expect(await scene.replies(threadId)).toMatchObject([{ state: 'answered', attempts: 2 }]);
  });
});
