/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { act } from 'react';
import { openView, screen } from '../../../testing/page-harness';
import { tellDone, tellFailed } from './notice.store';

it('what failed and what can be undone stay, however much passes after them; of the rest the newest four do', async () => {
  openView(<></>);
  act(() => {
    tellFailed('Not sent', { requestId: 'r-1' });
    tellDone('Moved', { lastsMs: 10_000, action: { label: 'Undo', run: () => undefined, isUndo: true } });
    for (const n of [1, 2, 3, 4, 5, 6]) tellDone(`Saved ${n}`);
  });
  await screen.findByText('Not sent');
  expect(screen.queryByText('Moved')).not.toBeNull();
  expect(screen.getAllByText(/^Saved/).map(({ textContent }) => textContent)).toEqual(
    [3, 4, 5, 6].map((n) => `Saved ${n}`),
  );
});

it('the button that copies a request’s id is named by what stands on it', async () => {
  openView(<></>);
  act(() => {
    tellFailed('Not sent', { requestId: 'r-1' });
  });
  const button = await screen.findByRole('button', { name: 'Request r-1: copy the id' });
  expect(button.textContent).toBe('Request r-1');
});
