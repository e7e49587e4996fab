import type { BoardSearch } from './board.search';

interface Props {
  assistantId: string;
  search: BoardSearch;
  /** The dialog that is open beside the board. */
  openThreadId: string | null;
  onOpen: (threadId: string) => void;
}

/** `/board/<assistant>` */
export function BoardPage({ assistantId }: Props) {
  return <p>{assistantId}</p>;
}
