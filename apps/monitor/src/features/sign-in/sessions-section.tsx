import type { SessionAnswer } from '@app/client/api-types';
import { Badge, Button, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/page-api';
import { dateAndTime } from '../../shared/format/time.format';
import { tellDone, tellError } from '../../shared/notices/notice.store';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { ErrorState, LoadingState } from '../../shared/ui/states.view';
import { profileWords } from './profile.words';
import classes from './sessions.module.css';

/** Each before those that it names itself after. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bYaBrowser\//, 'Yandex'],
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(e|ium)\/|\bHeadlessChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const found = (names: typeof BROWSERS, text: string): string | null =>
  names.find(([form]) => form.test(text))?.[1] ?? null;

/** What a browser calls itself, in two names that people know; null: none that we know. */
function browserOf(userAgent: string): { browser: string; system: string } | null {
  const [browser, system] = [found(BROWSERS, userAgent), found(SYSTEMS, userAgent)];
  return browser !== null && system !== null ? { browser, system } : null;
}

const KEY = ['own-sessions'];

/** Where else the person is signed in. */
export function SessionsSection() {
  const t = profileWords.use();
  const queries = useQueryClient();
  const sessions = useQuery({ queryKey: KEY, queryFn: () => api.get('/api/v1/auth/sessions'), staleTime: 0 });
  const end = useMutation({
    mutationFn: (id: string) => api.delete('/api/v1/auth/sessions/{id}', { params: { path: { id } } }),
    onSuccess: () => {
      tellDone(t('sessionEnded'));
      return queries.invalidateQueries({ queryKey: KEY });
    },
    onError: (error) => tellError(error),
  });
  if (sessions.isPending) return <LoadingState />;
  if (sessions.isError) return <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />;
  return (
    <ul className={classes.list} aria-label={t('sessions')}>
      {sessions.data.map((session) => (
        <Session
          key={session.id}
          session={session}
          isEnding={end.isPending && end.variables === session.id}
          onEnd={() => end.mutate(session.id)}
        />
      ))}
    </ul>
  );
}

interface SessionProps {
  session: SessionAnswer;
  isEnding: boolean;
  onEnd: () => void;
}

function Session({ session, isEnding, onEnd }: SessionProps) {
  const t = profileWords.use();
  const known = browserOf(session.user_agent);
  const browser = known ? t('browserOn', known) : session.user_agent || t('unknownBrowser');
  return (
    <li className={classes.session}>
      <div className={classes.words}>
        <Text size="md" fw={600}>
          <CustomerText text={browser} />
        </Text>
        <Text size="sm" c="dimmed">
          {`${session.ip} · ${t('lastSeen', { at: dateAndTime(session.last_seen_at) })}`}
        </Text>
        <Text size="sm" c="dimmed">
          {t('began', { at: dateAndTime(session.created_at) })}
        </Text>
      </div>
      {session.current ? (
        <Badge variant="light">{t('thisSession')}</Badge>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={isEnding}
          aria-label={t('endSessionOf', { browser, ip: session.ip })}
          onClick={onEnd}
        >
          {t('endSession')}
        </Button>
      )}
    </li>
  );
}
