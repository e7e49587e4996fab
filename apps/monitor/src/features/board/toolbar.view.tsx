import { Button, NativeSelect } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useSignedIn } from '../../shared/session/session.store';
import { BOARD_SORTS, boardSearch, type BoardSearch } from './search/board-search';
import { boardWords } from './board.words';
import { Filters } from './search/filters.view';
import { LinkedFilters } from './search/linked-filters.view';
import { LeadFiles } from './lead-files.view';
import { SearchBox } from './search/search-box.view';
import classes from './toolbar.module.css';

interface Props {
  assistantId: string;
  search: BoardSearch;
}

/** Which agent's board, which leads of it, and in which order. All of it stands in the address. */
export function Toolbar({ assistantId, search }: Props) {
  const t = boardWords.use();
  const { assistants } = useSignedIn();
  const navigate = useNavigate();
  const change = (fields: BoardSearch): void =>
    void navigate({
      to: '.',
      // Both addresses of the board have the same search, which the type of "here" does not know.
      search: (before) => boardSearch({ ...before, ...fields }) as never,
      replace: true,
    });
  const { sort: _order, ...filters } = search;
  const isFiltered = Object.keys(boardSearch(filters)).length > 0;
  return (
    <div className={classes.toolbar} role="group" aria-label={t('board')}>
      <NativeSelect
        className={classes.agent}
        size="xs"
        aria-label={t('agent')}
        value={assistantId}
        data={assistants.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) =>
          void navigate({
            to: '/board/$assistantId',
            params: { assistantId: event.currentTarget.value },
            // Stages and numbers are of one agent.
            search: (before) => boardSearch({ ...before, stage: undefined, bot: undefined }),
          })
        }
      />
      <SearchBox words={search.search ?? ''} onSearch={(words) => change({ search: words || undefined })} />
      <Filters {...{ assistantId, search }} onChange={change} />
      <LinkedFilters search={search} onChange={change} />
      <NativeSelect
        size="xs"
        aria-label={t('sort')}
        value={search.sort ?? 'activity'}
        data={BOARD_SORTS.map((sort) => ({
          value: sort,
          label: t(sort === 'activity' ? 'sortActivity' : 'sortWaiting'),
        }))}
        onChange={(event) => {
          const sort = BOARD_SORTS.find((word) => word === event.currentTarget.value);
          change({ sort: sort === 'activity' ? undefined : sort });
        }}
      />
      {isFiltered && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))}
        >
          {t('clear')}
        </Button>
      )}
      <LeadFiles assistantId={assistantId} search={search} />
    </div>
  );
}
