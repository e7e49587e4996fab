import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../shared/api/query.client';
import { styleNonce } from '../shared/theme/nonce.reader';
import { pageTheme, pageVariables } from '../shared/theme/page.theme';
import { themeManager } from '../shared/theme/theme.store';
import { router } from './page-router';

const themes = themeManager();

export function PageApp() {
  return (
    <MantineProvider
      theme={pageTheme}
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
