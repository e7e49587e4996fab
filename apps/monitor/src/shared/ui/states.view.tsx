import { Button, Center, Loader, Stack, Text } from '@mantine/core';
import { type ReactNode, Component } from 'react';
import { ApiError } from '@app/client/api.errors';
import { commonWords } from '../words/common.words';
import { explain } from '../words/error.words';

interface Props {
  children: ReactNode;
  /** What stands in its place; else a sentence. */
  instead?: ReactNode;
  /** A change of it tries again. */
  resetKey?: unknown;
}

/** Keeps the fault of one part, such as an odd message, from taking the page down. */
export class ErrorBoundary extends Component<Props, { failedFor: unknown; hasFailed: boolean }> {
  override state = { failedFor: undefined as unknown, hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(): void {
    this.setState({ failedFor: this.props.resetKey });
  }

  override componentDidUpdate(): void {
    if (this.state.hasFailed && this.state.failedFor !== this.props.resetKey)
      this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return this.props.instead ?? <Broken />;
  }
}

function Broken() {
  return <p>{commonWords.use()('brokenPart')}</p>;
}

/** While something is read. */
export function LoadingState() {
  const t = commonWords.use();
  return (
    <Center p="xl" mih={160}>
      <Loader size="sm" role="progressbar" aria-label={t('loading')} />
    </Center>
  );
}

interface EmptyStateProps {
  title: string;
  hint?: string;
  action?: ReactNode;
  /** It stands for the whole page: its title is the page's heading. */
  isPage?: boolean;
}

/** Where there is nothing, why, and what can be done. */
export function EmptyState({ title, hint, action, isPage = false }: EmptyStateProps) {
  return (
    <Center p="xl" mih={160}>
      <Stack gap={8} align="center" miw={0} maw={420}>
        <Text component={isPage ? 'h1' : 'p'} fw={600} m={0} ta="center">
          {title}
        </Text>
        {hint !== undefined && (
          <Text size="sm" c="dimmed" ta="center">
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

/** Where something could not be read. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = commonWords.use();
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Center p="xl" mih={160}>
      <Stack gap={8} align="center" role="alert" maw={420}>
        <Text fw={600}>{t('failed')}</Text>
        <Text size="sm" ta="center">
          {explain(error)}
        </Text>
        {requestId && (
          <Text size="xs" c="dimmed">
            {t('requestId', { id: requestId })}
          </Text>
        )}
        {onRetry && (
          <Button variant="light" size="xs" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
      </Stack>
    </Center>
  );
}
