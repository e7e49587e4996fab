import type { QuotedMessage } from '@app/contracts/message.words';
import { presentLanguage } from '../../../shared/words/language.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from '../timeline/message.module.css';
import { timelineWords } from '../timeline/timeline.words';

interface Props {
  quoted: QuotedMessage;
  customer: string;
}

/** The message to which another one replies. */
export function Quote({ quoted: { role, text: english, lines }, customer }: Props) {
  const t = timelineWords.use();
  const text = lines?.[presentLanguage()] ?? english;
  return (
    <blockquote className={classes.quote}>
      <div className={classes.head}>
        {t('replyTo')} <CustomerText text={role === 'USER' ? customer : t(`role_${role}`)} />
      </div>
      {text === '' ? t('quotedWithoutText') : <CustomerText text={text} />}
    </blockquote>
  );
}
