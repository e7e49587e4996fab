import type { HistoryEntryAnswer } from '@app/client/api-types';
import { memo } from 'react';
import {
  IconArrowRight,
  IconBell,
  IconBan,
  IconPencil,
  IconPoint,
  IconRobot,
  IconRoute,
  IconTrash,
  IconUser,
} from '../../../shared/ui/icons.view';
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
