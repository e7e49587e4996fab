import { useSearch } from '@tanstack/react-router';
import { usePageTitle } from '../../shared/ui/page-title.hook';
import { ImportForm } from './import-form.view';
import { ImportProgress } from './import-progress.view';
import { importsWords } from './imports.words';

/** `/import`: leads from a file; with `?id=…` how far an import is and what became of its rows. */
export function ImportsPage() {
  const { id, agent } = useSearch({ from: '/inside/import' });
  usePageTitle(importsWords.use()('title'));
  return id === undefined ? <ImportForm agent={agent} /> : <ImportProgress key={id} importId={id} />;
}
