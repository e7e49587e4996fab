import type { NumberTestAnswer } from '@app/client/api-types';
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { api } from '../../../shared/api/page-api';
import { readablePhone } from '../../../shared/format/number.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { useAct } from '../parts/forms/act.hook';
import { botWords } from './bot.words';
import type { ChannelName } from './channel-form.format';

interface NumberTestProps {
  botId: string;
  name: ChannelName;
  /** Null: not tested on this page, or the test could not be made. */
  result: NumberTestAnswer | null;
  onResult: (result: NumberTestAnswer | null) => void;
}

/** Asks the provider about the number, and explains what it says. */
export function NumberTest({ botId, name, result, onResult }: NumberTestProps) {
  const t = botWords.use();
  const { isBusy, act } = useAct();
  const test = async (): Promise<void> => {
    onResult(null);
    const params = { path: { id: botId, channel: name } };
    onResult(await act(() => api.post('/api/v1/admin/bots/{id}/channels/{channel}/test', { params })));
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button variant="default" loading={isBusy} onClick={() => void test()}>
          {t('test')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('testHint')}
        </Text>
      </Group>
      <div role="status">{result && <Result result={result} />}</div>
    </Stack>
  );
}

function Result({ result }: { result: NumberTestAnswer }) {
  const t = botWords.use();
  const { ok, number, problem, provider_response: answer, checked_at } = result;
  return (
    <Alert color={ok ? 'teal' : 'red'} title={ok ? t('testOk') : t('testFailed')}>
      <Stack gap={4}>
        {ok && number !== undefined && (
          <Text size="sm">
            {t('testNumber')} <CustomerText text={readablePhone(number)} isPhone />
          </Text>
        )}
        {ok && number === undefined && <Text size="sm">{t('testNoNumber')}</Text>}
        {problem !== undefined && (
          <Text size="sm">
            <CustomerText text={problem} />
          </Text>
        )}
        {answer !== undefined && answer !== null && (
          <details>
            <summary>{t('providerSays')}</summary>
            <Code block dir="ltr">
              {JSON.stringify(answer, null, 2)}
            </Code>
          </details>
        )}
        <Text size="xs">{t('testAt', { at: dateAndTime(checked_at) })}</Text>
      </Stack>
    </Alert>
  );
}
