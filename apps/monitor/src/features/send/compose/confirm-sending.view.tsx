import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { isolated } from '../../../shared/format/direction.format';
import { commonWords } from '../../../shared/words/common.words';
import { useComposed } from './composed.store';
import { faultyRowsCsv } from '../recipients/faulty-rows.format';
import { leftOutOf, leftOutWords, type MarkedRow, type ReadyRow } from '../recipients/marked-rows';
import { Quota } from './quota.view';
import { isDialog } from '../recipients/recipient-check';
import { sendWords } from '../send.words';
import type { Sender, SentTemplate } from '../send-types';
import { startSending } from '../results/sending.store';
import { recipientOf, type Slot } from '../../../shared/template/slot.rules';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  sender: Sender;
  assistantId: string;
  template: SentTemplate;
  slots: readonly Slot[];
  rows: readonly MarkedRow[];
  ready: readonly ReadyRow[];
}

/** Says once more to how many it goes. Then it does. */
export function ConfirmSending({
  isOpen,
  onClose,
  sender,
  assistantId,
  template,
  slots,
  rows,
  ready,
}: Props) {
  const t = sendWords.use();
  const common = commonWords.use();
  const count = ready.length;
  const { mode, file, leavesDuplicates: duplicates, leavesOptedOut: optedOut } = useComposed();
  const leftOut = leftOutOf(isOpen ? rows : [], { duplicates, optedOut });
  const words = leftOutWords(leftOut);
  const named = ready.filter(({ name }) => name !== null).length;
  const send = (): void => {
    onClose();
    const order = {
      ...sender,
      assistantId,
      templateId: template.template_id,
      language: template.language,
      recipients: ready.map(({ to, values }) =>
        recipientOf(template, slots, isDialog(to) ? { thread_id: to } : { phone: to }, values),
      ),
      leavesDuplicates: duplicates,
      names: new Map(ready.flatMap(({ to, name }) => (name === null ? [] : [[to, name] as const]))),
    };
    const canBeMended = mode === 'csv' && file !== null && leftOut.faults.length > 0;
    void startSending(order, {
      words: () => leftOutWords(leftOut),
      faulty: canBeMended ? () => faultyRowsCsv(file, leftOut.faults) : null,
    });
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('confirmTitle', { template: isolated(template.template_id), count })}
    >
      <Stack gap="sm">
        <Text size="sm">{t('confirmText')}</Text>
        {named > 0 && <Text size="sm">{t('confirmNames', { count: named })}</Text>}
        {words.length > 0 && <Text size="sm">{t('leftOut', { what: words.join(', ') })}</Text>}
        <Quota count={count} />
        <Group className="ll-answers" justify="flex-end" gap="xs">
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
