import { ActionIcon, Group, Text } from '@mantine/core';
import { readablePhone } from '../../../shared/format/number.format';
import { IconChevronLeft, IconChevronRight } from '../../../shared/ui/icons.view';
import { filledIn, type Slot } from '../../../shared/template/slot.rules';
import { TemplatePreview } from '../../../shared/template/template-preview.view';
import { RecipientName } from '../recipients/check.view';
import { sendWords } from '../send.words';
import type { SentTemplate } from '../send-types';

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
      <TemplatePreview {...filledIn(template, slots, values)} />
      <Group gap="xs" mt="xs" justify="space-between" wrap="nowrap">
        {shown ? (
          <>
            <Text size="sm" c="dimmed">
              {t('previewOf', { number: position + 1, total })}
              {' · '}
              <RecipientName to={shown.to} phone={readablePhone(shown.to)} />
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
