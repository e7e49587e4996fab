import type { Card } from '@app/contracts/board-events';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { commonWords } from '../../../shared/words/common.words';
import { boardWords } from '../board.words';
import { isolated } from '../../../shared/format/direction.format';
import { customerName } from '../../../shared/leads/lead-names.format';

interface Props {
  card: Card;
  onAnswer: (isSure: boolean) => void;
}

/** Before the AI is switched on by a key: it would answer the message that waits. */
export function AiQuestion({ card, onAnswer }: Props) {
  const t = boardWords.use();
  const common = commonWords.use();
  return (
    <Modal opened onClose={() => onAnswer(false)} returnFocus={false} title={t('aiOnTitle')}>
      <Stack gap="sm">
        <Text size="sm">{t('aiOnWaiting', { name: isolated(customerName(card)) })}</Text>
        <Group className="ll-answers" justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => onAnswer(false)}>
            {common('cancel')}
          </Button>
          <Button data-autofocus onClick={() => onAnswer(true)}>
            {t('aiOn')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
