import IconArrowBackUp from '@tabler/icons-react/icons/IconArrowBackUp';
import IconCopy from '@tabler/icons-react/icons/IconCopy';
import IconExternalLink from '@tabler/icons-react/icons/IconExternalLink';
import IconFileText from '@tabler/icons-react/icons/IconFileText';
import IconMapPin from '@tabler/icons-react/icons/IconMapPin';
import IconPhone from '@tabler/icons-react/icons/IconPhone';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconVideo from '@tabler/icons-react/icons/IconVideo';
import { CustomerText } from '../ui/customer-text.view';
import { templatePartWords } from './template-part.words';
import classes from './template-preview.module.css';
import type { Previewed } from './template-preview.types';
import { WhatsappText } from './whatsapp-text.view';

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
  otp: IconCopy,
  other: IconFileText,
} as const;

/** A template as the customer sees it in WhatsApp. */
export function TemplatePreview({ header, body, footer, buttons }: Previewed) {
  const t = templatePartWords.use();
  return (
    <div className={classes.ground} data-preview>
      <div className={classes.bubble}>
        {header && header.format !== 'text' && header.format !== 'other' && <Media format={header.format} />}
        <div className={classes.words}>
          {header?.format === 'text' && header.text && (
            <CustomerText text={header.text} component="span" className={classes.header} />
          )}
          <span dir="auto" className={classes.body}>
            {body === '' ? t('emptyBody') : <WhatsappText text={body} />}
          </span>
          {footer && <CustomerText text={footer} component="span" className={classes.footer} />}
        </div>
        {buttons.length > 0 && (
          <ul className={classes.buttons}>
            {buttons.map(({ type, text }, index) => {
              const Icon = BUTTON_ICONS[type];
              return (
                <li key={index} className={classes.button}>
                  <Icon size={16} aria-hidden />
                  {type === 'copy_code' || (type === 'otp' && text === '') ? (
                    t('copyCode')
                  ) : (
                    <CustomerText text={text} />
                  )}
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
  const t = templatePartWords.use();
  const Icon = MEDIA_ICONS[format];
  return (
    <div className={classes.media}>
      <Icon size={24} aria-hidden />
      {t(format)}
    </div>
  );
}
