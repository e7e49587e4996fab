import { Button, Menu } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import type { FunnelStage, Assignee } from '@app/contracts/lead.words';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { useAssignees } from '../../../shared/leads/leads.query';
import { tellError } from '../../../shared/notices/notice.store';
import { useSignedIn } from '../../../shared/session/session.store';
import { IconChevronDown, IconUser } from '../../../shared/ui/icons.view';
import { stageName } from '../../../shared/leads/lead-names.format';
import { moveLead } from '../../../shared/leads/lead-moves';
import { StageItem } from '../../../shared/leads/stage-item.view';
import { useLive } from '../../../shared/live/live-context';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { headWords } from './head.words';
import classes from './head.module.css';

interface AssigneeMenuProps {
  card: Card;
  onAssigned: (assignee: Assignee | null) => void;
}

/** Who looks after the customer. */
export function AssigneeMenu({ card, onAssigned }: AssigneeMenuProps) {
  const t = headWords.use();
  const { user } = useSignedIn();
  const [isOpen, setOpen] = useState(false);
  const people = useAssignees(card.assistant_id, isOpen);
  const assign = async (userId: string | null): Promise<void> => {
    try {
      const answer = await api.post('/api/v1/leads/assign', {
        body: { thread_id: card.thread_id, user_id: userId },
      });
      onAssigned(answer.assignee);
    } catch (error) {
      tellError(error);
    }
  };
  const choices = [
    { id: user.id, name: t('me') },
    { id: null, name: t('nobody') },
    ...withPresent(people, card.assignee).filter(({ id }) => id !== user.id),
  ];
  const present = card.assignee?.id ?? null;
  return (
    <Menu position="bottom-start" onChange={setOpen}>
      <Menu.Target>
        <Button
          className={classes.choice}
          size="compact-sm"
          variant="default"
          leftSection={<IconUser size={14} aria-hidden />}
          aria-label={card.assignee ? t('assignee', { name: card.assignee.name }) : t('unassigned')}
        >
          <CustomerText text={card.assignee?.name ?? t('unassigned')} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.choices} aria-label={t('assign')}>
        {choices.map(({ id, name }) => (
          <Menu.RadioItem
            key={id ?? 'nobody'}
            value={id ?? 'nobody'}
            checked={id === present}
            closeMenuOnClick
            data-autofocus={id === present || undefined}
            onChange={() => void assign(id)}
          >
            <CustomerText text={name} />
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Whoever has it stays in the list, disabled or not. */
const withPresent = (people: readonly Assignee[], present: Assignee | null): readonly Assignee[] =>
  present === null || people.some(({ id }) => id === present.id) ? people : [present, ...people];

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
