import type { BoardStore } from '@app/client/board/board.store';
import { CloseButton, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLive } from '../../../shared/live/live-context';
import { IconSearch } from '../../../shared/ui/icons.view';
import { useSingleKeyActions, isComposing } from '../../../shared/keys/single-keys.hook';
import { useBoardState } from '../board-state.hook';
import { boardWords } from '../board.words';
import { cardFocus } from '../card/card-focus';
import classes from '../toolbar.module.css';

function firstCard(store: BoardStore): string | undefined {
  const firsts = store.board().columnIds.map((id) => store.column(id)?.ids[0]);
  return firsts.find((id) => id !== undefined);
}

/**
 * Gives the focus to the first card, as soon as the board shows what was asked for.
 * @param isWanted the page has asked for it
 */
function useFirstFound(isWanted: boolean, onDone: () => void): void {
  const { store } = useLive();
  const { loading } = useBoardState();
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    if (!isWanted || loading) return;
    // What is asked for changes with this drawing, and the board begins to load after it.
    const frame = requestAnimationFrame(() => {
      if (store.board().loading) return;
      done.current();
      const first = firstCard(store);
      if (first !== undefined) cardFocus.want(first);
    });
    return () => cancelAnimationFrame(frame);
  }, [isWanted, loading, store]);
}

const PAUSE_MS = 150;

interface Props {
  words: string;
  onSearch: (words: string) => void;
}

/** Searches while one types, after each short pause. Enter searches at once, and leads to the first card found. */
export function SearchBox({ words, onSearch }: Props) {
  const t = boardWords.use();
  const [typed, setTyped] = useState(words);
  const asked = useRef(words);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useSingleKeyActions({ Slash: () => input.current?.select() });

  // The address was changed by something else, such as "back".
  useEffect(() => {
    if (words === asked.current) return;
    asked.current = words;
    setTyped(words);
  }, [words]);
  const ask = (): void => {
    if (typed.trim() === asked.current) return;
    asked.current = typed.trim();
    latest.current(asked.current);
  };
  useEffect(() => {
    const timer = setTimeout(ask, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  /** With which words Enter was pressed, until they are found, others are typed, or the person goes elsewhere. */
  const [entered, setEntered] = useState<string | null>(null);
  useFirstFound(entered === typed.trim() && entered === words, () => setEntered(null));

  return (
    <TextInput
      ref={input}
      className={classes.search}
      size="xs"
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        setEntered(null);
      }}
      onBlur={() => setEntered(null)}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === 'Enter') {
          ask();
          setEntered(typed.trim());
        }
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        if (typed === '') event.currentTarget.blur();
        else setTyped('');
      }}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        typed !== '' && (
          <CloseButton
            size={24}
            iconSize={14}
            aria-label={t('clearSearch')}
            onClick={() => {
              setTyped('');
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}
