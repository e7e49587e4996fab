import type { Sending } from './sending.store';
import type { TimelineRow } from './timeline.rows';

/** A line of the log: of the dialog itself, of what is on its way, or that the agent writes. */
export type LogRow =
  TimelineRow | { key: string; kind: 'sending'; sending: Sending } | { key: string; kind: 'typing' };
