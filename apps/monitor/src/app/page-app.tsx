import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { queryClient } from '../shared/api/page-api';
import { pageTheme, pageVariables } from '../shared/theme/page-theme';
import { themeManager } from '../shared/theme/theme.store';
import { commonWords } from '../shared/words/common.words';
import { router } from './page-router';

/** The nonce of this answer, with which styles that libraries write are let in. */
const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';

// For the scroll lock of modals, which another package writes.
setNonce(styleNonce);

const themes = themeManager();

/** Buttons that parts of Mantine bring along have names in the language of the page. */
function useNamedTheme() {
  const t = commonWords.use();
  const closeButtonProps = { 'aria-label': t('close') };
  return mergeThemeOverrides(pageTheme, {
    components: {
      Drawer: { defaultProps: { closeButtonProps } },
      Modal: { defaultProps: { closeButtonProps } },
    },
  });
}

export function PageApp() {
  return (
    <MantineProvider
      theme={useNamedTheme()}
      cssVariablesResolver={pageVariables}
      defaultColorScheme="auto"
      colorSchemeManager={themes}
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
