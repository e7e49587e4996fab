import '@mantine/core/styles.css';
import './shared/theme/page.css';
import './shared/theme/forced-colors.css';
import { createRoot } from 'react-dom/client';
import { PageApp } from './app/page-app';
import { hearTabs } from './shared/session/session-calls';
import { keepFocusOverWork } from './shared/ui/focus.hook';
import { startLanguage } from './shared/words/language.store';

/**
 * A file that is dropped where nothing takes it would be shown by the browser in the place of the page, and with the page
 * would go what was typed there.
 */
function ignoreStrayFiles(): void {
  const ignore = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', ignore);
  addEventListener('drop', ignore);
}

startLanguage();
keepFocusOverWork();
hearTabs();
ignoreStrayFiles();
const root = document.getElementById('root');
if (root) createRoot(root).render(<PageApp />);
