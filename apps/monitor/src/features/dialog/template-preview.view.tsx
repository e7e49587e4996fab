import type { TemplateAnswer } from '@app/client/api.types';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { composerWords } from './composer.words';
import { filledText, type TemplateValues } from './template.fields';
import classes from './template.module.css';
import { styledParts, type StyledPart } from './whatsapp.format';

const TAGS: Record<StyledPart['style'], 'span' | 'strong' | 'em' | 's' | 'code'> = {
  plain: 'span',
  bold: 'strong',
  italic: 'em',
  struck: 's',
  code: 'code',
};

/** The template with its values, as WhatsApp shows it. */
export function TemplatePreview({ template, values }: { template: TemplateAnswer; values: TemplateValues }) {
  const t = composerWords.use();
  const { header, body, footer, buttons } = template;
  return (
    <section className={classes.preview} aria-label={t('preview')} data-template-preview>
      <div className={classes.label}>{t('preview')}</div>
      <div className={classes.bubble}>
        {header?.format === 'text' && (
          <CustomerText
            text={filledText(header.text ?? '', 'header', values)}
            component="div"
            className={classes.header}
          />
        )}
        {header && header.format !== 'text' && (
          <div className={classes.file}>
            <IconPhoto size={28} stroke={1.5} aria-hidden />
          </div>
        )}
        <div className={classes.body} dir="auto">
          {styledParts(filledText(body, 'body', values)).map(({ text, style }, index) => {
            const Tag = TAGS[style];
            return <Tag key={index}>{text}</Tag>;
          })}
        </div>
        {footer !== null && <CustomerText text={footer} component="div" className={classes.footer} />}
        {buttons.map(({ text }, index) => (
          <div key={index} className={classes.button}>
            <CustomerText text={text} />
          </div>
        ))}
      </div>
    </section>
  );
}
