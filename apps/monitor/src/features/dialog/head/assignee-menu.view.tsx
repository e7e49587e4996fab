import { Button, Menu } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import type { Assignee } from '@app/contracts/lead.words';
import { useState } from 'react';
import { useAssignees } from '../../../shared/leads/leads.query';
import { IconUser } from '../../../shared/ui/icons.view';
import { api } from '../../../shared/api/page-api';
import { tellError } from '../../../shared/notices/notice.store';
import { useSignedIn } from '../../../shared/session/session.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import classes from './head.module.css';
import { headWords } from './head.words';

interface Props {
  card: Card;
  onAssigned: (assignee: Assignee | null) => void;
}

/** Who looks after the customer. */
export function AssigneeMenu({ card, onAssigned }: Props) {
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
