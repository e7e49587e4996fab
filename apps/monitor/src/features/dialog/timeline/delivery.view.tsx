import type { ListedMessage } from '@app/client/message.store';
import {
  IconAlertCircle,
  IconBan,
  IconCheck,
  IconChecks,
  IconClock,
  IconHelp,
} from '../../../shared/ui/icons.view';
import classes from './message.module.css';
import { timelineWords } from './timeline.words';

const ICONS = {
  queued: IconClock,
  sending: IconClock,
  unknown: IconHelp,
  sent: IconCheck,
  delivered: IconChecks,
  read: IconChecks,
  failed: IconAlertCircle,
  dropped: IconBan,
};

/** How far a message of ours has come, as a sign and in words. */
export function Delivery({ status }: { status: ListedMessage['status'] }) {
  const t = timelineWords.use();
  if (status === 'received') return null;
  const Icon = ICONS[status];
  return (
    <span className={classes.delivery} data-delivery={status} title={t(status)}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span className="ll-hidden">{t(status)}</span>
    </span>
  );
}
