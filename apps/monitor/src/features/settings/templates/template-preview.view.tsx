import type { ButtonAnswer } from '@app/client/api.types';
import IconArrowBackUp from '@tabler/icons-react/icons/IconArrowBackUp';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink';
import IconFileText from '@tabler/icons-react/icons/IconFileText';
import IconMapPin from '@tabler/icons-react/icons/IconMapPin';
import IconPhone from '@tabler/icons-react/icons/IconPhone';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconVideo from '@tabler/icons-react/icons/IconVideo';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { templateWords } from './template.words';
import { WhatsAppText } from './whatsapp-text.view';
import classes from './template-preview.module.css';

/** What is shown, with the values of the variables in it. */
export interface Previewed {
  headerFormat: 'none' | 'text' | 'image' | 'video' | 'document' | 'location';
  headerText: string;
  body: string;
  footer: string;
  buttons: readonly { type: ButtonAnswer['type']; text: string }[];
}

const MEDIA_ICONS = {
  image: IconPhoto,
  video: IconVideo,
  document: IconFileText,
  location: IconMapPin,
} as const;

const BUTTON_ICONS = {
  quick_reply: IconArrowBackUp,
  url: IconExternalLink,
  phone_number: IconPhone,
  copy_code: IconCopy,
} as const;

/** A template as the customer sees it in WhatsApp. */
export function TemplatePreview({ headerFormat, headerText, body, footer, buttons }: Previewed) {
  const t = templateWords.use();
  return (
    <div className={classes.ground}>
      <div className={classes.bubble}>
        {headerFormat !== 'none' && headerFormat !== 'text' && <Media format={headerFormat} />}
        <div className={classes.words}>
          {headerFormat === 'text' && headerText !== '' && (
            <CustomerText text={headerText} component="span" className={classes.header} />
          )}
          <span dir="auto" className={classes.body}>
            {body === '' ? t('previewEmpty') : <WhatsAppText text={body} />}
          </span>
          {footer !== '' && <CustomerText text={footer} component="span" className={classes.footer} />}
        </div>
        {buttons.length > 0 && (
          <ul className={classes.buttons}>
            {buttons.map(({ type, text }, index) => {
              const Icon = BUTTON_ICONS[type];
              return (
                <li key={index} className={classes.button}>
                  <Icon size={16} aria-hidden />
                  {type === 'copy_code' ? t('copyCode') : <CustomerText text={text} />}
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </div>
  );
}

function Media({ format }: { format: keyof typeof MEDIA_ICONS }) {
  const t = templateWords.use();
  const Icon = MEDIA_ICONS[format];
  return (
    <div className={classes.media}>
      <Icon size={24} aria-hidden />
      {t(`media_${format}`)}
    </div>
  );
}
