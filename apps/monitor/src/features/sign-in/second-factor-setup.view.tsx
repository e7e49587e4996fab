import type { BegunSecondFactorAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { Button, Code, Group, Stack, Text, TextInput, SimpleGrid } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { encode } from 'uqr';
import { api } from '../../shared/api/page-api';
import { downloadFile } from '../../shared/files/browser-download';
import { Copying } from '../../shared/ui/copying.view';
import { commonWords } from '../../shared/words/common.words';
import { profileWords } from './profile.words';
import { refusalOf } from './refusal.format';

/** The codes that stand in for the app. The server shows them this once. */
function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = profileWords.use();
  const common = commonWords.use();
  const text = codes.join('\n');
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('codesTitle')}</Text>
      <Text size="sm">{t('codesText')}</Text>
      <SimpleGrid component="ol" cols={2} spacing="xs" p={0} m={0} aria-label={t('codesTitle')}>
        {codes.map((code) => (
          <li key={code}>
            <Code fz="md">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <Copying text={text}>
          {({ isCopied, copy }) => (
            <Button variant="default" onClick={copy}>
              {isCopied ? common('copied') : t('copyCodes')}
            </Button>
          )}
        </Copying>
        <Button
          variant="default"
          onClick={() => downloadFile('leadline-recovery-codes.txt', `${text}\n`, 'text/plain')}
        >
          {t('downloadCodes')}
        </Button>
        <Button onClick={onKept}>{t('codesKept')}</Button>
      </Group>
    </Stack>
  );
}

const BORDER = 2;

/** A text as a QR code. It is dark on white in both themes, because cameras expect that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: BORDER, ecc: 'M' });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={200} height={200}>
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

/** Sets up an authenticator app: its code, then the recovery codes. @param onDone once the person has those */
export function SecondFactorSetup({ onDone }: { onDone: () => void }) {
  const t = profileWords.use();
  const [begun, setBegun] = useState<BegunSecondFactorAnswer | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);

  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    await act().catch(setError);
    setBusy(false);
  };
  const begin = () => attempt(async () => setBegun(await api.post('/api/v1/auth/second-factor/begin')));
  const enable = (code: string) =>
    attempt(async () => {
      const answer = await api.post('/api/v1/auth/second-factor/enable', { body: { code } });
      setCodes(answer.recovery_codes);
    });

  if (codes) return <RecoveryCodes codes={codes} onKept={onDone} />;
  if (begun)
    return <CodeForm begun={begun} error={error} isBusy={isBusy} onCode={(code) => void enable(code)} />;
  return (
    <Stack gap="sm" align="flex-start">
      {error !== null && (
        <Text role="alert" size="sm" c="var(--ll-danger)">
          {refusalOf(error)}
        </Text>
      )}
      <Button onClick={() => void begin()} loading={isBusy} data-autofocus>
        {t('setUp')}
      </Button>
    </Stack>
  );
}

interface CodeFormProps {
  begun: BegunSecondFactorAnswer;
  error: unknown;
  isBusy: boolean;
  onCode: (code: string) => void;
}

function CodeForm({ begun, error, isBusy, onCode }: CodeFormProps) {
  const t = profileWords.use();
  const common = commonWords.use();
  const [code, setCode] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onCode(code.replace(/\s/g, ''));
  };
  const isRefused = error instanceof ApiError && ['VALIDATION_ERROR', 'SIGN_IN_FAILED'].includes(error.code);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">{t('setUpText')}</Text>
        <Group gap="md" align="flex-start">
          <QrCode text={begun.otpauth_url} label={t('qr')} />
          <Stack gap={4}>
            <Text size="sm" c="dimmed">
              {t('secret')}
            </Text>
            <Code fz="sm">{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</Code>
            <Copying text={begun.secret}>
              {({ isCopied, copy }) => (
                <Button variant="subtle" size="compact-sm" onClick={copy} w="fit-content">
                  {isCopied ? common('copied') : common('copy')}
                </Button>
              )}
            </Copying>
          </Stack>
        </Group>
        <TextInput
          label={t('code')}
          description={t('codeHint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          error={error === null ? undefined : isRefused ? t('wrongCode') : refusalOf(error)}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={isBusy}>
            {t('enable')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
