import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { commonWords } from '../../shared/words/common.words';
import { countMarks, type MarkedRow, type ReadyRow } from './marked.rows';
import { Quota } from './quota.view';
import { sendWords } from './send.words';
import type { Sender, SentTemplate } from './send.types';
import { startSending } from './sending.store';
import { recipientOf, type Slot } from '../../shared/template/slot.rules';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  sender: Sender;
  template: SentTemplate;
  slots: readonly Slot[];
  rows: readonly MarkedRow[];
  ready: readonly ReadyRow[];
}

/** Says once more to how many it goes. Then it does. */
export function ConfirmSending({ isOpen, onClose, sender, template, slots, rows, ready }: Props) {
  const t = sendWords.use();
  const common = commonWords.use();
  const count = ready.length;
  const sent = new Set<MarkedRow>(isOpen ? ready : []);
  const left = countMarks(rows.filter((row) => !sent.has(row)));
  const leftOut = [
    ...(left.faults > 0 ? [t('faultCount', { count: left.faults })] : []),
    ...(left.duplicates > 0 ? [t('duplicateCount', { count: left.duplicates })] : []),
    ...(left.optedOut > 0 ? [t('optedOutCount', { count: left.optedOut })] : []),
  ];
  const send = (): void => {
    onClose();
    void startSending({
      ...sender,
      templateId: template.template_id,
      language: template.language,
      recipients: ready.map(({ to, values }) => recipientOf(template, slots, to, values)),
    });
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('confirmTitle', { template: template.template_id, count })}
    >
      <Stack gap="sm">
        <Text size="sm">{t('confirmText')}</Text>
        {leftOut.length > 0 && <Text size="sm">{t('leftOut', { what: leftOut.join(', ') })}</Text>}
        <Quota count={count} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button onClick={send} data-autofocus>
            {t('sendTo', { count })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
