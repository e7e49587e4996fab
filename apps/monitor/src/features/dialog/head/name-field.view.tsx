import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import type { Card } from '@app/contracts/board-events';
import { useRef, useState, type FormEvent } from 'react';
import { isComposing } from '../../../shared/keys/single-keys.hook';
import { usePassedFocus } from '../../../shared/ui/focus.hook';
import { IconPencil } from '../../../shared/ui/icons.view';
import { api } from '../../../shared/api/page-api';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { commonWords } from '../../../shared/words/common.words';
import { explain } from '../../../shared/words/error.words';
import classes from './head.module.css';
import { headWords } from './head.words';
import { customerName, isNamedByPhone } from '../../../shared/leads/lead-names.format';

interface Props {
  card: Card;
  onNamed: (name: string | null) => void;
}

/** The customer's name, which people may change: theirs counts before the messenger's. */
export function NameField({ card, onNamed }: Props) {
  const t = headWords.use();
  const [isOpen, setOpen] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  if (isOpen)
    return (
      <NameForm card={card} onNamed={onNamed} next={() => pencil.current} onClose={() => setOpen(false)} />
    );
  return (
    <h2 className={classes.title}>
      <CustomerText text={customerName(card)} isPhone={isNamedByPhone(card)} className={classes.name} />
      {card.erased_at === null && (
        <Tooltip label={t('rename')}>
          <ActionIcon
            ref={pencil}
            variant="subtle"
            color="gray"
            size={24}
            aria-label={t('rename')}
            onClick={() => setOpen(true)}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </h2>
  );
}

interface FormProps extends Props {
  /** What has the focus when it has closed. */
  next: () => HTMLElement | null;
  onClose: () => void;
}

function NameForm({ card, onNamed, next, onClose }: FormProps) {
  const t = headWords.use();
  const common = commonWords.use();
  const [name, setName] = useState(card.customer_name ?? '');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const focus = usePassedFocus(next);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const answer = await api.post('/api/v1/leads/set-name', {
        body: { thread_id: card.thread_id, name: name.trim() === '' ? null : name.trim() },
      });
      onNamed(answer.customer_name);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <form
      {...focus}
      className={classes.rename}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <TextInput
        size="xs"
        autoFocus
        dir="auto"
        maxLength={200}
        aria-label={t('nameLabel')}
        placeholder={t('nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={error === null ? undefined : explain(error)}
      />
      <Button type="submit" size="compact-sm" loading={isBusy}>
        {common('save')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={onClose}>
        {common('cancel')}
      </Button>
    </form>
  );
}
