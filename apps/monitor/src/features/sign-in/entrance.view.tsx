import { Center, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import icon from '../../shared/assets/icon.svg';
import { usePageTitle } from '../../shared/ui/page-title.hook';

/** The page before the page: one card in the middle. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <Center component="main" mih="100%" p="md">
      <Paper withBorder p="lg" w="100%" maw={380} bg="var(--ll-surface)">
        <Stack gap="md">
          <img src={icon} alt="" width={36} height={36} />
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
