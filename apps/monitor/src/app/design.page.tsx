import type { CardView } from '@app/client/board/board-views';
import type { ListedMessage } from '@app/client/message.store';
import type { Card } from '@app/contracts/board-events';
import { MESSAGE_STATUSES } from '@app/contracts/message.words';
import { Badge, Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '@app/client/api.errors';
import { CardContent } from '../features/board/card/card.view';
import { MessageView } from '../features/dialog/timeline/message.view';
import { serverNow } from '../shared/format/server-clock';
import { tellDone, tellFailed } from '../shared/notices/notice.store';
import { EmptyState, ErrorState, LoadingState } from '../shared/ui/states.view';
import classes from './design.module.css';

const MINUTE = 60_000;

const ago = (minutes: number): string => new Date(serverNow() - minutes * MINUTE).toISOString();

const CARD: Card = {
  thread_id: 'thread_01930000-0000-7000-8005-000000000001',
  assistant_id: '01930000-0000-7000-8002-000000000001',
  bot_id: '01930000-0000-7000-8003-000000000001',
  channel: 'WABA',
  phone: '+77015551001',
  customer: {
    phone: '+77015551001',
    wa_id: '77015551001',
    user_id: null,
    username: null,
    phone_proven: false,
  },
  same_customer: [],
  conducted_elsewhere: false,
  customer_name: 'Айгерим',
  message_handler: 'AI',
  ai_enabled: true,
  opted_out: false,
  takeover_until: null,
  waiting: false,
  waiting_since: null,
  waiting_reason: null,
  window_until: ago(-600),
  lead_status: null,
  status_set_at: ago(90),
  status_cleared_at: null,
  status_set_by: 'AI',
  last_message: { role: 'AI', text: 'Доставим сегодня до шести.', created_at: ago(5) },
  unread_count: 0,
  attention: null,
  assignee: null,
  erased_at: null,
  created_at: ago(3_000),
  updated_at: ago(5),
  version: 1,
};

const said = (text: string): Card['last_message'] => ({ role: 'USER', text, created_at: ago(3) });
const LONG = 'Здравствуйте! Хочу узнать о доставке, оплате, возврате и обо всём остальном. '.repeat(6);

/** A card in each of its states, with names in several scripts. */
const CARD_SAMPLES: { name: string; view: CardView }[] = (
  [
    ['AI', {}],
    [
      'waiting, unread',
      { waiting: true, waiting_since: ago(12), unread_count: 3, last_message: said('Есть доставка?') },
    ],
    [
      'operator',
      { message_handler: 'OPERATOR', takeover_until: ago(-14), assignee: { id: '1', name: 'Алия' } },
    ],
    ['AI off', { message_handler: 'OPERATOR', ai_enabled: false }],
    ['unsubscribed', { opted_out: true, last_message: said('STOP') }],
    [
      'attention',
      {
        attention: { reason: 'hand_over', note: 'Просит скидку', provider_code: null, since: ago(2) },
        customer_name: 'महेश कुमार',
      },
    ],
    [
      'right to left',
      { customer_name: 'عبد الرحمن بن محمد', last_message: said('هل لديكم توصيل إلى المنزل؟') },
    ],
    [
      'long words',
      { customer_name: 'Константин-Александр Преображенский-Задунайский', last_message: said(LONG) },
    ],
    ['no name', { customer_name: null, last_message: null }],
    ['erased', { customer_name: null, phone: null, erased_at: ago(1), last_message: null }],
  ] as [string, Partial<Card>][]
).map(([name, fields]) => ({
  name,
  view: { card: { ...CARD, ...fields }, pending: false, movedBy: null, present: [] },
}));

const MESSAGE: ListedMessage = {
  id: '01930000-0000-7000-8006-000000000001',
  message_id: null,
  role: 'OPERATOR',
  type: 'text',
  text: 'Ваш заказ готов. Когда вам удобно его получить?',
  status: 'sent',
  error: null,
  created_at: ago(8),
  sent_at: ago(8),
  ...{
    media: null,
    content: null,
    quoted: null,
    referral: null,
    pricing: null,
    author: null,
    edited_at: null,
    deleted_at: null,
  },
};

const FAILED: ListedMessage['error'] = {
  code: 'PROVIDER_ERROR',
  message: 'Message undeliverable',
  provider_code: 131026,
};

/** A message in each of its states, and of each who writes. */
const MESSAGE_SAMPLES: ListedMessage[] = [
  { ...MESSAGE, id: 'customer', role: 'USER', status: 'received', text: 'Сәлем! Есть доставка в Шымкент?' },
  { ...MESSAGE, id: 'arabic', role: 'USER', status: 'received', text: 'هل لديكم توصيل؟ https://example.com' },
  { ...MESSAGE, id: 'agent', role: 'AI', status: 'read', text: 'Да, два–три дня.' },
  {
    ...{ ...MESSAGE, id: 'quoting', role: 'USER', status: 'received', text: 'Точно?' },
    quoted: { id: 'agent', role: 'AI', text: 'Да, два–три дня.' },
  },
  { ...MESSAGE, id: 'note', type: 'note', status: 'received', text: 'Постоянный клиент, дать скидку 5 %.' },
  ...MESSAGE_STATUSES.filter((status) => status !== 'received').map((status) => ({
    ...MESSAGE,
    ...{ id: status, status, error: status === 'failed' ? FAILED : null },
  })),
];

const FAULT = new ApiError({
  ...{ code: 'UNAVAILABLE', message: 'The database is away', status: 503, requestId: 'req_sample' },
});

/** `/design`: the parts of the page in all their states, for those who make it. No production server has it. */
export function DesignPage() {
  return (
    <div className={classes.page}>
      <Title order={1}>Design</Title>
      <Section name="Cards">
        {CARD_SAMPLES.map(({ name, view }) => (
          <figure key={name} className={classes.sample}>
            <figcaption>{name}</figcaption>
            <Paper withBorder p="xs" bg="var(--ll-surface)">
              <CardContent view={view} />
            </Paper>
          </figure>
        ))}
      </Section>
      <Section name="Messages">
        <div className={classes.messages}>
          {MESSAGE_SAMPLES.map((message) => (
            <MessageView
              key={message.id}
              message={message}
              customer="Айгерим"
              isNamed={false}
              isContinued={false}
            />
          ))}
        </div>
      </Section>
      <Section name="Controls">
        <Stack gap="sm">
          <Group gap="xs">
            <Button size="xs">Filled</Button>
            <Button size="xs" variant="light">
              Light
            </Button>
            <Button size="xs" variant="default">
              Default
            </Button>
            <Button size="xs" variant="subtle">
              Subtle
            </Button>
            <Button size="xs" loading>
              Busy
            </Button>
            <Button size="xs" disabled>
              Disabled
            </Button>
            <Button size="xs" color="red">
              Removes
            </Button>
            <Button
              size="xs"
              onClick={() => tellDone('It passed.', { action: { label: 'Undo', run: () => undefined } })}
            >
              Notice of success
            </Button>
            <Button
              size="xs"
              onClick={() => tellFailed('It failed.', { detail: 'Why', requestId: 'req_sample' })}
            >
              Notice of failure
            </Button>
          </Group>
          <Group gap="xs">
            {['teal', 'blue', 'orange', 'red', 'gray'].map((color) => (
              <Badge key={color} color={color} variant="light">
                {color}
              </Badge>
            ))}
          </Group>
          <Group gap="md" align="flex-start">
            <TextInput label="Name" description="A hint" placeholder="Placeholder" />
            <TextInput label="With a fault" error="What is wrong" defaultValue="wrong" />
            <Switch label="Switch" defaultChecked />
          </Group>
        </Stack>
      </Section>
      <Section name="States of a page">
        <Paper withBorder bg="var(--ll-surface)" className={classes.sample}>
          <LoadingState />
        </Paper>
        <Paper withBorder bg="var(--ll-surface)" className={classes.sample}>
          <EmptyState title="Nothing here" hint="Why, and what can be done." />
        </Paper>
        <Paper withBorder bg="var(--ll-surface)" className={classes.sample}>
          <ErrorState error={FAULT} onRetry={() => undefined} />
        </Paper>
      </Section>
      <Section name="Type">
        <Stack gap={4}>
          <Text>Text, 14 px</Text>
          <Text size="sm">Secondary, 13 px</Text>
          <Text size="xs" c="dimmed">
            Marks, 12 px
          </Text>
        </Stack>
      </Section>
    </div>
  );
}

function Section({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={name}>
      <Title order={2} mb="sm">
        {name}
      </Title>
      <div className={classes.samples}>{children}</div>
    </section>
  );
}
