import { ErrorState, LoadingState } from '../../../../shared/ui/states.view';
import { ListDetail } from './list-detail.view';

interface Props {
  title: string;
  /** Why it could not be read; null: it is being read. */
  error: unknown;
  onRetry: () => void;
}

/** A list that is not there yet, below its title. */
export function ListPending({ title, error, onRetry }: Props) {
  return (
    <ListDetail
      title={title}
      list={error === null ? <LoadingState /> : <ErrorState error={error} onRetry={onRetry} />}
      detail={null}
      onBack={() => undefined}
    />
  );
}
