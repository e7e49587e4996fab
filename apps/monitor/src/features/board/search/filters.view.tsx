import { ATTENTION_REASONS, MESSAGE_HANDLERS } from '@app/contracts/lead.words';
import { CHANNELS } from '@app/contracts/message.words';
import { STAGE_KINDS } from '@app/contracts/stage.words';
import { Button, NativeSelect, Popover } from '@mantine/core';
import { isolated } from '../../../shared/format/direction.format';
import { stageName } from '../../../shared/leads/lead-names.format';
import { useAssignees } from '../../../shared/leads/leads.query';
import { IconFilter, IconX } from '../../../shared/ui/icons.view';
import { leadWords } from '../../../shared/leads/lead.words';
import { useSignedIn } from '../../../shared/session/session.store';
import { useBoardState } from '../board-state.hook';
import { boardSearch, type BoardSearch } from './board-search';
import { boardWords } from '../board.words';
import classes from '../toolbar.module.css';

interface LinkedFiltersProps {
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
}

/** Filters that come with a link of the figures and have no choice of their own. Each can be taken off. */
export function LinkedFilters({ search: { stage, bot }, onChange }: LinkedFiltersProps) {
  const t = boardWords.use();
  const { statuses } = useBoardState();
  const named = statuses.find(({ id }) => id === stage)?.name;
  const name = stage === 'none' ? stageName(null) : (named ?? '…');
  return (
    <>
      {stage !== undefined && (
        <Taken
          label={t('onlyStage', { name: isolated(name) })}
          onTake={() => onChange({ stage: undefined })}
        />
      )}
      {bot !== undefined && <Taken label={t('onlyBot')} onTake={() => onChange({ bot: undefined })} />}
    </>
  );
}

function Taken({ label, onTake }: { label: string; onTake: () => void }) {
  return (
    <Button size="xs" variant="light" rightSection={<IconX size={14} aria-hidden />} onClick={onTake}>
      {label}
    </Button>
  );
}

type FilterName = 'handler' | 'waiting' | 'unread' | 'attention' | 'channel' | 'assignee' | 'kind';

const FILTERS: readonly FilterName[] = [
  ...(['handler', 'waiting', 'unread', 'attention'] as const),
  ...(['channel', 'assignee', 'kind'] as const),
];

interface Props {
  assistantId: string;
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
}

/** Which leads the board shows. Each choice counts at once, and stands in the address. */
export function Filters({ assistantId, search, onChange }: Props) {
  const t = boardWords.use();
  const count = FILTERS.filter((name) => search[name] !== undefined).length;
  return (
    <Popover position="bottom-start" trapFocus returnFocus shadow="md" width={300}>
      <Popover.Target>
        <Button
          size="xs"
          variant={count > 0 ? 'light' : 'default'}
          leftSection={<IconFilter size={14} aria-hidden />}
        >
          {count > 0 ? t('filtersOn', { count }) : t('filters')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('filters')}>
        <div className={classes.filters}>
          <Choices {...{ assistantId, search, onChange }} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ assistantId, search, onChange }: Props) {
  const t = boardWords.use();
  const ofLeads = leadWords.use();
  const { user } = useSignedIn();
  const colleagues = useAssignees(assistantId).filter(({ id }) => id !== user.id);
  const known = new Set([user.id, ...colleagues.map(({ id }) => id)]);
  const { assignee } = search;
  const others = assignee !== undefined && assignee !== 'none' && !known.has(assignee) ? [assignee] : [];
  const choices: Record<FilterName, { label: string; values: [string, string][] }> = {
    handler: {
      label: t('handler'),
      values: MESSAGE_HANDLERS.map((word) => [word, t(word === 'AI' ? 'handlerAi' : 'handlerOperator')]),
    },
    waiting: {
      label: t('waiting'),
      values: [
        ['true', t('waitingYes')],
        ['false', t('waitingNo')],
      ],
    },
    unread: {
      label: t('unreadFilter'),
      values: [
        ['true', t('unreadYes')],
        ['false', t('unreadNo')],
      ],
    },
    attention: {
      label: t('attention'),
      values: [
        ['true', t('attentionYes')],
        ...ATTENTION_REASONS.map((word): [string, string] => [word, ofLeads(`attention_${word}`)]),
        ['false', t('attentionNo')],
      ],
    },
    channel: {
      label: t('channel'),
      values: CHANNELS.map((word) => [word, ofLeads(`channel_${word}`)]),
    },
    assignee: {
      label: t('assignee'),
      values: [
        [user.id, t('assigneeMe')],
        ['none', t('assigneeNone')],
        ...colleagues.map(({ id, name }): [string, string] => [id, name]),
        ...others.map((id): [string, string] => [id, id]),
      ],
    },
    kind: { label: t('kind'), values: STAGE_KINDS.map((word) => [word, ofLeads(`kind_${word}`)]) },
  };
  return FILTERS.map((name) => (
    <NativeSelect
      key={name}
      size="xs"
      label={choices[name].label}
      value={String(search[name] ?? '')}
      onChange={(event) => onChange(read(name, event.currentTarget.value))}
      data={[
        { value: '', label: t('any') },
        ...choices[name].values.map(([value, label]) => ({ value, label })),
      ]}
    />
  ));
}

/** A choice, as the address would have it. */
function read(name: FilterName, value: string): BoardSearch {
  const chosen = value === 'true' ? true : value === 'false' ? false : value;
  return { [name]: undefined, ...boardSearch({ [name]: chosen }) };
}
