import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../shared/api/query-client';
import { styleNonce } from '../shared/theme/nonce-reader';
import { pageTheme, pageVariables } from '../shared/theme/page-theme';
import { themeManager } from '../shared/theme/theme.store';
import { commonWords } from '../shared/words/common.words';
import { router } from './page-router';

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
