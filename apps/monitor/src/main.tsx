import '@mantine/core/styles.css';
import './shared/theme/page.css';
import './shared/theme/forced-colors.css';
import { createRoot } from 'react-dom/client';
import { PageApp } from './app/page-app';
import { hearTabs } from './shared/session/session-tabs';
import { keepFocusOverWork } from './shared/ui/focus-restore';
import { ignoreStrayFiles } from './shared/ui/stray-files';
import { startLanguage } from './shared/words/language.store';

startLanguage();
keepFocusOverWork();
hearTabs();
ignoreStrayFiles();
const root = document.getElementById('root');
if (root) createRoot(root).render(<PageApp />);
