import type { ClaimedReply, HeldReply, ReplyRepository } from '@app/persistence/agent/reply.repository';
import { ReplyRun } from './reply-run';
import { ReplyWatch } from './reply-watch';

/** A second claim of the same reply by this process, after the lease of the first ran out. */
const [LOST, VALID] = ['lost', 'valid'].map(
  (token) => new ReplyRun({ accountId: 'account', replyId: '1', token }, {} as ClaimedReply),
) as [ReplyRun, ReplyRun];

it('a run whose claim was lost ends, and the valid run of the same reply goes on', async () => {
  const looks: (readonly HeldReply[])[] = [];
  const watch = new ReplyWatch({
    look: (replies: readonly HeldReply[]) => {
      looks.push(replies);
      return Promise.resolve([{ replyId: '1', token: 'lost', closed: 'superseded' }]);
    },
    hold: () => Promise.resolve(),
  } as unknown as ReplyRepository);
  watch.watch(LOST);
  watch.watch(VALID);
  await new Promise((resolve) => LOST.signal.addEventListener('abort', resolve));
  expect(looks[0]).toEqual([LOST.held, VALID.held]);
  expect([LOST.silencedBy, VALID.silencedBy, VALID.signal.aborted]).toEqual(['superseded', null, false]);
  watch.forget(LOST);
  watch.forget(VALID);
});
