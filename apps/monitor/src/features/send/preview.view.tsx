import { ActionIcon, Group, Text } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/icons/IconChevronLeft';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';
import IconFile from '@tabler/icons-react/icons/IconFile';
import IconMapPin from '@tabler/icons-react/icons/IconMapPin';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconVideo from '@tabler/icons-react/icons/IconVideo';
import { readablePhone } from '../../shared/format/phone.format';
import { CustomerText } from '../../shared/ui/customer-text.view';
import classes from './preview.module.css';
import { sendWords } from './send.words';
import type { SentTemplate } from './send.types';
import { filledTexts, type Slot } from './slot.rules';
import { WhatsappText } from './whatsapp-text.view';

const FILES = { image: IconPhoto, video: IconVideo, document: IconFile, location: IconMapPin } as const;

interface Props {
  template: SentTemplate;
  slots: readonly Slot[];
  /** Of the recipient that is shown; null: the template's examples. */
  shown: { to: string; values: readonly string[] } | null;
  /** From 0, among those who are ready. */
  position: number;
  total: number;
  onPosition: (position: number) => void;
}

/** The message as the customer sees it in WhatsApp. */
export function Preview({ template, slots, shown, position, total, onPosition }: Props) {
  const t = sendWords.use();
  const values = shown?.values ?? slots.map(({ example }) => example);
  return (
    <section aria-label={t('preview')}>
      <Bubble template={template} slots={slots} values={values} />
      <Group gap="xs" mt="xs" justify="space-between" wrap="nowrap">
        {shown ? (
          <>
            <Text size="sm" c="dimmed">
              {t('previewOf', { number: position + 1, total })}
              {' · '}
              <CustomerText text={readablePhone(shown.to)} isPhone />
            </Text>
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                variant="default"
                aria-label={t('previous')}
                disabled={position === 0}
                onClick={() => onPosition(position - 1)}
              >
                <IconChevronLeft size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="default"
                aria-label={t('next')}
                disabled={position + 1 >= total}
                onClick={() => onPosition(position + 1)}
              >
                <IconChevronRight size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {t('previewExample')}
          </Text>
        )}
      </Group>
    </section>
  );
}

function Bubble({
  template,
  slots,
  values,
}: Pick<Props, 'template' | 'slots'> & { values: readonly string[] }) {
  const t = sendWords.use();
  const { header, body } = filledTexts(template, slots, values);
  const format = template.header?.format;
  const file = format === undefined || format === 'text' ? null : format;
  const FileIcon = file && FILES[file];
  return (
    <div className={classes.ground}>
      <div className={classes.bubble} data-preview>
        {FileIcon && file && (
          <div className={classes.file}>
            <FileIcon size={28} aria-hidden />
            <span>{t(file)}</span>
          </div>
        )}
        {header !== null && (
          <div className={classes.header} dir="auto">
            {header}
          </div>
        )}
        <div className={classes.body} dir="auto">
          <WhatsappText text={body} />
        </div>
        {template.footer !== null && (
          <div className={classes.footer} dir="auto">
            {template.footer}
          </div>
        )}
      </div>
      {template.buttons.map((button, n) => (
        <div key={n} className={classes.button}>
          <CustomerText text={button.text} />
        </div>
      ))}
    </div>
  );
}
