import type { HistoryEntryAnswer } from '@app/client/api-types';
import IconArrowRight from '@tabler/icons-react/icons/IconArrowRight';
import IconBell from '@tabler/icons-react/icons/IconBell';
import IconBan from '@tabler/icons-react/icons/IconBan';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import IconPoint from '@tabler/icons-react/icons/IconPoint';
import IconRobot from '@tabler/icons-react/icons/IconRobot';
import IconRoute from '@tabler/icons-react/icons/IconRoute';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import IconUser from '@tabler/icons-react/icons/IconUser';
import { memo } from 'react';
import { clockTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from './timeline.module.css';
import { historySentence, wordsBehind } from './history.format';
import { historyWords } from './history.words';

const ICONS: Record<string, typeof IconPoint> = {
  status: IconArrowRight,
  ai: IconRobot,
  handler: IconUser,
  opt_out: IconBan,
  reply_discarded: IconRobot,
  scenario: IconRoute,
  attention: IconBell,
  model_error: IconRobot,
  name: IconUser,
  assignee: IconUser,
  erased: IconBan,
  message_edited: IconPencil,
  message_deleted: IconTrash,
};

/** Something that happened, between what was said. */
export const HistoryEntry = memo(function HistoryEntry({ entry }: { entry: HistoryEntryAnswer }) {
  historyWords.use();
  const Icon = ICONS[entry.type] ?? IconPoint;
  return (
    <div className={classes.happened} data-history-seq={entry.seq} data-history-type={entry.type}>
      <Icon size={14} aria-hidden />
      <span title={wordsBehind(entry) ?? undefined}>
        <CustomerText text={historySentence(entry)} component="span" />
      </span>
      <time dateTime={entry.at}>{clockTime(entry.at)}</time>
    </div>
  );
});
