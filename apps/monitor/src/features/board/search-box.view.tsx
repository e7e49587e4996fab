import { CloseButton, TextInput } from '@mantine/core';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { useEffect, useRef, useState } from 'react';
import { useSingleKeyActions } from '../../shared/keys/single-keys.hook';
import { boardWords } from './board.words';
import classes from './toolbar.module.css';

const PAUSE_MS = 150;

interface Props {
  words: string;
  onSearch: (words: string) => void;
  /** Leads to what was found. */
  onEnter: () => void;
}

/** Searches while one types, after each short pause. */
export function SearchBox({ words, onSearch, onEnter }: Props) {
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
  useEffect(() => {
    if (typed.trim() === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = typed.trim();
      latest.current(asked.current);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <TextInput
      ref={input}
      className={classes.search}
      size="xs"
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && typed.trim() === asked.current) onEnter();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        if (typed === '') event.currentTarget.blur();
        else setTyped('');
      }}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        typed !== '' && (
          <CloseButton
            size="sm"
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
