import { checkSession } from './session-check';
import { session } from './session.store';

const CHANNEL = 'leadline.session';
let channel: BroadcastChannel | null = null;

/** Somebody has signed in or out here: the session of every tab of this browser is another one from now on. */
export function tellTabs(): void {
  channel?.postMessage(null);
}

/** Learns what other tabs tell. A page on which nobody works yet has nothing to learn. */
export function hearTabs(): void {
  channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => {
    const { status } = session.state();
    // Without a connection it is learnt by the next call.
    if (status === 'in' || status === 'ended') void checkSession().catch(() => undefined);
  };
}
