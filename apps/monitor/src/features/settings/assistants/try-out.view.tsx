import type { TriedCallAnswer, TriedMessageRequest } from '@app/client/api-types';
import { Alert, Button, Code, Group, Stack, Text, Textarea } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { api } from '../../../shared/api/page-api';
import { isComposing } from '../../../shared/keys/single-keys.hook';
import { tellError } from '../../../shared/notices/notice.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { assistantsWords } from './assistants.words';
import classes from './try-out.module.css';

/** One line of the trial: what was said, or a tool that the model called. */
type Line =
  | { kind: 'said'; message: TriedMessageRequest }
  | { kind: 'called'; call: TriedCallAnswer }
  | { kind: 'silent' };

const MOST = 40;

/** A dialog with the agent that sends nothing. */
export function TryOut({ assistantId }: { assistantId: string }) {
  const t = assistantsWords.use();
  const [lines, setLines] = useState<Line[]>([]);
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(0);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [lines, isBusy]);

  const messages = lines.flatMap((line) => (line.kind === 'said' ? [line.message] : []));
  const isFull = messages.length >= MOST;

  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === '' || isBusy || isFull) return;
    const said: Line = { kind: 'said', message: { role: 'USER', text } };
    const trial = latest.current;
    setLines((before) => [...before, said]);
    setText('');
    setBusy(true);
    try {
      const body = { messages: [...messages, said.message] };
      const answer = await api.post('/api/v1/admin/assistants/{id}/try', {
        params: { path: { id: assistantId } },
        body,
      });
      if (trial !== latest.current) return;
      const calls = answer.tool_calls.map((call): Line => ({ kind: 'called', call }));
      const parts = answer.parts.map((part): Line => ({ kind: 'said', message: { role: 'AI', text: part } }));
      setLines((before) => [
        ...before,
        ...calls,
        ...(parts.length > 0 ? parts : [{ kind: 'silent' } as const]),
      ]);
    } catch (error) {
      if (trial !== latest.current) return;
      // So that it can be asked again.
      setLines((before) => before.slice(0, -1));
      setText(said.message.text);
      tellError(error);
    } finally {
      if (trial === latest.current) setBusy(false);
    }
    input.current?.focus();
  };

  const startAnew = (): void => {
    latest.current += 1;
    setLines([]);
    setBusy(false);
    input.current?.focus();
  };

  return (
    <Stack gap="sm" maw={760}>
      <Alert variant="light" p="xs">
        {t('tryHint')}
      </Alert>
      <div role="log" aria-label={t('tryDialog')} tabIndex={0} className={classes.log}>
        {lines.length === 0 && !isBusy && (
          <Text size="sm" c="dimmed">
            {t('tryEmpty')}
          </Text>
        )}
        {lines.map((line, index) => (
          // Lines are only added at the end.
          <TrialLine key={index} line={line} />
        ))}
        {isBusy && (
          <Text size="sm" c="dimmed">
            {t('writes')}
          </Text>
        )}
        <div ref={end} />
      </div>
      {isFull && <Text size="sm">{t('tryFull')}</Text>}
      <form onSubmit={(event) => void ask(event)}>
        <Stack gap="xs">
          <Textarea
            ref={input}
            label={t('tryMessage')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={4_096}
            dir="auto"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent)) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
          <Group gap="xs">
            <Button type="submit" loading={isBusy}>
              {t('send')}
            </Button>
            {lines.length > 0 && (
              <Button variant="default" onClick={startAnew}>
                {t('again')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

function TrialLine({ line }: { line: Line }) {
  const t = assistantsWords.use();
  if (line.kind === 'silent')
    return (
      <Text size="sm" c="dimmed">
        {t('trySilent')}
      </Text>
    );
  if (line.kind === 'called') return <Call call={line.call} />;
  const { role, text } = line.message;
  return (
    <div className={classes.message} data-role={role}>
      <Text size="xs" c="dimmed">
        {role === 'USER' ? t('customer') : t('agent')}
      </Text>
      <CustomerText text={text} component="div" className={classes.text} />
    </div>
  );
}

function Call({ call: { name, arguments: given, result } }: { call: TriedCallAnswer }) {
  const t = assistantsWords.use();
  return (
    <div className={classes.call} data-tool={name}>
      <Text size="sm" fw={600}>
        {t('calls', { name })}
      </Text>
      <Text size="xs" c="dimmed">
        {t('arguments')}
      </Text>
      <Code block>{JSON.stringify(given, null, 2)}</Code>
      <Text size="xs" c="dimmed" mt={4}>
        {t('result')}
      </Text>
      <CustomerText text={result} component="div" className={classes.text} />
    </div>
  );
}
