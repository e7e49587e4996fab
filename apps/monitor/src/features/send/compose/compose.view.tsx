import { Alert, Button, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { EmptyState, ErrorState } from '../../../shared/ui/states.view';
import { numbersQuery, numberKey } from '../../../shared/leads/bots.query';
import { customerName, channelOf } from '../../../shared/leads/lead-names.format';
import { explain } from '../../../shared/words/error.words';
import { Check } from '../recipients/check.view';
import { composing, useComposed, type Composed } from './composed.store';
import { ConfirmSending, Quota, useQuotaLeft } from './confirm-sending.view';
import { CsvRecipients } from '../recipients/csv-file.view';
import { HandRecipients, phonesOf, phonesWithValues } from '../recipients/hand.view';
import { markRows, readyOf } from '../recipients/marked-rows';
import { useOptedOut } from '../recipients/opted-out.hook';
import { Preview } from './preview.view';
import { RecentSendings } from '../results/recent-sendings.view';
import { checkRows } from '../recipients/recipient-check';
import parts from '../../../shared/ui/part.module.css';
import classes from '../send.module.css';
import { customerQuery, templatesQuery } from '../send.query';
import type { GivenRow } from '../send-types';
import { sendWords } from '../send.words';
import { slotsOf, labelOf, type Slot } from '../../../shared/template/slot.rules';
import { TemplateChoice } from './template-choice.view';

/** The recipients of a list that is being put together. */
function rowsOf(composed: Composed, slots: readonly Slot[]): GivenRow[] {
  const { mode, handText, handValues, file, phoneColumn, nameColumn, sources } = composed;
  const shared = slots.map(({ id }) => sources[id]?.text.trim() ?? '');
  if (mode === 'hand') {
    const lines = handValues === 'same' ? phonesOf(handText) : phonesWithValues(handText);
    return lines.map(({ line, cells: [phone = '', ...own] }) => ({
      row: line,
      phone,
      name: null,
      values: handValues === 'same' ? shared : slots.map((_, n) => own[n] ?? ''),
    }));
  }
  if (!file || phoneColumn === null) return [];
  const columns = slots.map(({ id }) => sources[id]?.column ?? null);
  return file.table.rows.map(({ row, cells }) => ({
    row,
    phone: cells[phoneColumn] ?? '',
    name: (nameColumn === null ? '' : (cells[nameColumn] ?? '').trim()) || null,
    values: columns.map((column, n) => (column === null ? (shared[n] ?? '') : (cells[column] ?? ''))),
  }));
}

/** What is to be chosen or filled in for the whole list, before its rows can be looked at one by one. */
function openChoices(
  { mode, handValues, file, phoneColumn, sources }: Composed,
  slots: readonly Slot[],
): string[] {
  const isFile = mode === 'csv';
  if (isFile && (file === null || file.table.rows.length === 0)) return [];
  if (!isFile && handValues === 'each') return [];
  const lacks = ({ id, isOptional }: Slot): boolean => {
    const { column = null, text = '' } = sources[id] ?? {};
    return !isOptional && text.trim() === '' && !(isFile && column !== null);
  };
  return [
    ...(isFile && phoneColumn === null ? [sendWords.say('phoneColumn')] : []),
    ...slots.filter(lacks).map(labelOf),
  ];
}

/** Puts a list together: what, to whom, and how it will look. @param threadId the dialog that it is for */
export function Compose({ threadId }: { threadId?: string }) {
  const t = sendWords.use();
  const composed = useComposed();
  const { sender, templateId, mode, leavesDuplicates, leavesOptedOut } = composed;
  const templates = useQuery(templatesQuery(sender));
  const template = templates.data?.find(({ id }) => id === templateId) ?? null;
  const customer = useCustomer(threadId);
  const numbers = useQuery(numbersQuery);
  const number = numbers.data?.find((one) => sender !== null && numberKey(one) === numberKey(sender));
  const country = number?.phoneCountry ?? null;

  const slots = useMemo(() => (template ? slotsOf(template) : []), [template]);
  const open = openChoices(composed, slots);
  const given = useMemo(() => rowsOf(composed, slots), [composed, slots]);
  const checked = useMemo(
    () => checkRows(given, template, slots, country),
    [given, template, slots, country],
  );
  const phones = useMemo(() => checked.flatMap(({ to }) => (to === null ? [] : [to])), [checked]);
  const optedOut = useOptedOut(sender, phones);
  const { contacts, dialogs } = optedOut;
  const rows = useMemo(
    () => markRows(checked, { contacts, dialogs }, sender),
    [checked, contacts, dialogs, sender],
  );
  const ready = useMemo(
    () => readyOf(rows, { duplicates: leavesDuplicates, optedOut: leavesOptedOut }),
    [rows, leavesDuplicates, leavesOptedOut],
  );
  const [position, setPosition] = useState(0);
  const shownAt = Math.min(position, Math.max(0, ready.length - 1));
  const [isAsking, asking] = useDisclosure();
  const left = useQuotaLeft();
  const canSend =
    sender !== null &&
    template !== null &&
    number !== undefined &&
    ready.length > 0 &&
    optedOut.state === 'known' &&
    (left === null || ready.length <= left);

  return (
    <div className={classes.page}>
      <Title order={1} tabIndex={-1} className={classes.title}>
        {t('title')}
      </Title>
      <Stack gap="md">
        {customer.error !== null && (
          <Alert color="red" role="alert">
            {explain(customer.error)}
          </Alert>
        )}
        <section className={parts.part}>
          <Title order={2} mb="sm">
            {t('what')}
          </Title>
          <TemplateChoice templates={templates.data ?? []} areLoading={templates.isPending} />
          {templates.isError && (
            <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />
          )}
        </section>
        <section className={parts.part}>
          <Title order={2} mb="sm" id="to-whom">
            {t('toWhom')}
          </Title>
          <Stack gap="sm">
            <SegmentedControl
              aria-labelledby="to-whom"
              data={[
                { value: 'hand', label: t('byHand') },
                { value: 'csv', label: t('fromCsv') },
              ]}
              value={mode}
              onChange={(chosen) => composing.change({ mode: chosen === 'csv' ? 'csv' : 'hand' })}
            />
            {mode === 'hand' ? (
              <HandRecipients slots={slots} />
            ) : (
              <CsvRecipients slots={slots} country={country} />
            )}
          </Stack>
        </section>
        {(rows.length > 0 || (mode === 'csv' && open.length > 0)) && (
          <section className={parts.part}>
            <Title order={2} mb="sm">
              {t('check')}
            </Title>
            {open.length > 0 ? (
              <Text size="sm" role="status">
                {t(mode === 'csv' ? 'chooseFirst' : 'fillFirst', { what: open.join(', ') })}
              </Text>
            ) : (
              <Check
                rows={rows}
                readyCount={ready.length}
                optedOut={optedOut}
                onRow={(row) =>
                  setPosition(
                    Math.max(
                      0,
                      ready.findIndex((one) => one === row),
                    ),
                  )
                }
              />
            )}
          </section>
        )}
        <RecentSendings />
      </Stack>
      <Stack gap="md" className={classes.aside}>
        <section className={parts.part}>
          <Title order={2} mb="sm">
            {t('preview')}
          </Title>
          {template ? (
            <Preview
              template={template}
              slots={slots}
              shown={ready[shownAt] ?? null}
              position={shownAt}
              total={ready.length}
              onPosition={setPosition}
            />
          ) : (
            <EmptyState title={t('noTemplateYet')} />
          )}
        </section>
        <section className={parts.part}>
          <Title order={2} mb="sm">
            {t('quota')}
          </Title>
          <Quota count={ready.length} />
        </section>
        <Button disabled={!canSend} onClick={asking.open}>
          {ready.length > 0 ? t('sendTo', { count: ready.length }) : t('send')}
        </Button>
      </Stack>
      {sender && template && number && (
        <ConfirmSending
          isOpen={isAsking}
          onClose={asking.close}
          sender={sender}
          assistantId={number.assistantId}
          template={template}
          slots={slots}
          rows={rows}
          ready={ready}
        />
      )}
    </div>
  );
}

/** Puts the customer of a dialog in, once. */
function useCustomer(threadId: string | undefined): { error: unknown } {
  const { data, error } = useQuery(customerQuery(threadId));
  useEffect(() => {
    if (!data) return;
    composing.change({
      sender: { botId: data.bot_id, channel: channelOf(data) },
      mode: 'hand',
      handText: data.phone ?? data.thread_id,
      dialog: data.phone === null ? { id: data.thread_id, name: customerName(data) } : null,
      templateId: null,
      sources: {},
    });
  }, [data]);
  return { error };
}
