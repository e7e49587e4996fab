import type { SessionAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { Modal, Tabs, Alert, Button, Group, Stack, Text, TextInput, Badge } from '@mantine/core';
import { useQueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api } from '../../shared/api/page-api';
import { dateAndTime } from '../../shared/format/time.format';
import { tellDone, tellError } from '../../shared/notices/notice.store';
import { checkSession } from '../../shared/session/session-calls';
import { useSignedIn } from '../../shared/session/session.store';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { useOpening } from '../../shared/ui/opening.hook';
import { PasswordField } from '../../shared/ui/password-field.view';
import { ErrorState, LoadingState } from '../../shared/ui/states.view';
import { profileWords } from './profile.words';
import { passwordFault, refusalOf } from './refusal.format';
import { SecondFactorSetup } from './second-factor-setup.view';
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
function SessionsSection() {
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

/** Whether a code is asked for at sign-in, and the way to the other. */
export function SecondFactorSection() {
  const t = profileWords.use();
  const { user } = useSignedIn();
  return (
    <Stack gap="sm">
      <Text size="sm">{t(user.second_factor ? 'secondFactorOn' : 'secondFactorOff')}</Text>
      {user.second_factor ? (
        <DisableForm />
      ) : (
        <SecondFactorSetup
          onDone={() => {
            tellDone(t('enabled'));
            void checkSession().catch(tellError);
          }}
        />
      )}
    </Stack>
  );
}

function DisableForm() {
  const t = profileWords.use();
  const { account } = useSignedIn();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.post('/api/v1/auth/second-factor/disable', { body: { password, code: code.trim() } });
      tellDone(t('disabled'));
      await checkSession();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  const isWrong = error instanceof ApiError && error.code === 'WRONG_PASSWORD';
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('disableText')}
        </Text>
        {account.second_factor_required && (
          <Text size="sm">{t('requiredByAccount', { account: account.name })}</Text>
        )}
        {error !== null && (
          <Alert color="red" role="alert">
            {isWrong ? t('wrongDisable') : refusalOf(error)}
          </Alert>
        )}
        <PasswordField
          label={t('password')}
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <TextInput
          label={t('disableCode')}
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" variant="default" loading={isBusy}>
            {t('disable')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Another password, by the present one. */
export function PasswordSection() {
  const t = profileWords.use();
  const queries = useQueryClient();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.post('/api/v1/auth/change-password', { body: { current, password } });
      setCurrent('');
      setPassword('');
      tellDone(t('passwordChanged'));
      void queries.invalidateQueries({ queryKey: ['own-sessions'] });
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };

  const isWrong = error instanceof ApiError && error.code === 'WRONG_PASSWORD';
  const fault = passwordFault(error, password);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {error !== null && !isWrong && fault === null && (
          <Alert color="red" role="alert">
            {refusalOf(error)}
          </Alert>
        )}
        <PasswordField
          label={t('currentPassword')}
          autoComplete="current-password"
          required
          error={isWrong ? refusalOf(error) : undefined}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordField
          label={t('newPassword')}
          description={t('passwordRules')}
          autoComplete="new-password"
          required
          error={fault}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('passwordEnds')}
          </Text>
          <Button type="submit" loading={isBusy}>
            {t('changePassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Password, second factor and sessions of the person who is signed in. */
export function Profile({ onClose }: { onClose: () => void }) {
  const t = profileWords.use();
  const opening = useOpening(onClose);
  return (
    <Modal {...opening} title={t('title')} size="lg">
      <Tabs defaultValue="password" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="password">{t('password')}</Tabs.Tab>
          <Tabs.Tab value="second-factor">{t('secondFactor')}</Tabs.Tab>
          <Tabs.Tab value="sessions">{t('sessions')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="password">
          <PasswordSection />
        </Tabs.Panel>
        <Tabs.Panel value="second-factor">
          <SecondFactorSection />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <SessionsSection />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}
