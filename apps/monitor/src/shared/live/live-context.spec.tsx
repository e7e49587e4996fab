/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { BoardConnection, ConnectionState } from '@app/client/board/board-connection';
import { openView, screen } from '../../../testing/page-harness';
import { session } from '../session/session.store';
import { LiveContext, useConnectionState, type Live } from './live-context';

const Probe = () => <p>{useConnectionState()}</p>;

function open(state: ConnectionState): void {
  const connection = {
    state: () => state,
    subscribeState: () => () => undefined,
  } as unknown as BoardConnection;
  openView(
    <LiveContext value={{ connection } as Live}>
      <Probe />
    </LiveContext>,
  );
}

describe('the state of the connection', () => {
  it('is not that of a lost network where the service has refused a session that ended', async () => {
    open('offline');
    await screen.findByText('offline');
    session.end();
    await screen.findByText('connecting');
  });

  it('is offline without a network, session or not', async () => {
    const network = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open('online');
    await screen.findByText('offline');
    network.mockRestore();
  });
});
