/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { useState } from 'react';
import { openView, screen, waitFor } from '../../../../testing/page-harness';
import { LiveContext, type Live } from '../../../shared/live/live-context';
import { usePresence } from './attendance.hook';

function Dialog({ threadId }: { threadId: string }) {
  return <button onClick={usePresence(threadId)}>Key</button>;
}

function Panel() {
  const [open, setOpen] = useState<string | null>('thread_1');
  return (
    <>
      {open !== null && <Dialog threadId={open} />}
      <button onClick={() => setOpen('thread_2')}>Other</button>
      <button onClick={() => setOpen(null)}>Close</button>
    </>
  );
}

it('colleagues are told of the dialog that is open, of each key in it, and when it is closed', async () => {
  const look = jest.fn();
  openView(
    <LiveContext value={{ connection: { look } } as unknown as Live}>
      <Panel />
    </LiveContext>,
  );
  const press = (name: string): void => screen.getByRole('button', { name }).click();
  const untilTold = (...calls: unknown[][]): Promise<void> =>
    waitFor(() => expect(look.mock.calls).toEqual(calls)).finally(() => look.mockClear());

  await untilTold(['thread_1']);
  press('Key');
  await untilTold(['thread_1', { typing: true }]);
  press('Other');
  await untilTold([null], ['thread_2']);
  press('Close');
  await untilTold([null]);
});
