import { Button, Menu } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import type { FunnelStage } from '@app/contracts/lead.words';
import { useState } from 'react';
import { IconChevronDown } from '../../../shared/ui/icons.view';
import { stageName } from '../../../shared/leads/lead-names.format';
import { moveLead } from '../../../shared/leads/lead-moves';
import { StageItem } from '../../../shared/leads/stage-item.view';
import { useLive } from '../../../shared/live/live-context';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { headWords } from './head.words';
import classes from './head.module.css';

interface Props {
  card: Card;
  stages: readonly FunnelStage[];
}

/** The lead's stage, and the way to another one. */
export function StageMenu({ card, stages }: Props) {
  const t = headWords.use();
  const { store } = useLive();
  const [answers, setAnswers] = useState(false);
  /** Where it is being moved. */
  const [pending, setPending] = useState<string | null | undefined>(undefined);
  const present = pending === undefined ? (card.lead_status?.id ?? null) : pending;
  const nameOf = (id: string | null): string =>
    stages.find((stage) => stage.id === id)?.name ??
    (id !== null && card.lead_status?.id === id ? card.lead_status.name : stageName(null));

  const move = async (to: string | null): Promise<void> => {
    const answersWaiting = answers && card.waiting;
    if (to === present && !answersWaiting) return;
    setPending(to);
    const from = card.lead_status?.id ?? null;
    await moveLead(store, { threadId: card.thread_id, card, to, from, stages, answersWaiting });
    setPending(undefined);
  };

  const choices = [{ id: null, name: stageName(null) }, ...stages];
  return (
    <Menu position="bottom-start" onOpen={() => setAnswers(false)} disabled={card.erased_at !== null}>
      <Menu.Target>
        <Button
          className={classes.choice}
          size="compact-sm"
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={t('stage', { stage: nameOf(present) })}
          data-stage-id={present ?? 'none'}
        >
          <CustomerText text={nameOf(present)} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.choices} aria-label={t('moveTo')}>
        {card.waiting && (
          <>
            <Menu.CheckboxItem checked={answers} onChange={setAnswers}>
              {t('answerWaiting')}
            </Menu.CheckboxItem>
            <Menu.Divider />
          </>
        )}
        {choices.map(({ id, name }) => (
          <StageItem
            key={id ?? 'none'}
            id={id}
            name={name}
            isPresent={id === present}
            closesMenu
            onChoose={() => void move(id)}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
