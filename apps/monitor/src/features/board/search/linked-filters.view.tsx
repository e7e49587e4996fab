import { Button } from '@mantine/core';
import { IconX } from '../../../shared/ui/icons.view';
import { useBoardState } from '../board-state.hook';
import type { BoardSearch } from './board-search';
import { boardWords } from '../board.words';
import { isolated } from '../../../shared/format/direction.format';
import { stageName } from '../../../shared/leads/lead-names.format';

interface Props {
  search: BoardSearch;
  onChange: (change: BoardSearch) => void;
}

/** Filters that come with a link of the figures and have no choice of their own. Each can be taken off. */
export function LinkedFilters({ search: { stage, bot }, onChange }: Props) {
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
