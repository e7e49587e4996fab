import type { Card } from '@app/contracts/board-events';

/** Whether free texts can be sent now: for 24 hours after the customer has written. */
export const isWindowOpen = ({ window_until: until }: Pick<Card, 'window_until'>, now: number): boolean =>
  until !== null && Date.parse(until) > now;
