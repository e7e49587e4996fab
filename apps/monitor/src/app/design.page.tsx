import { Badge, Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '@app/client/api.errors';
import { CardContent } from '../features/board/card/card.view';
import { MessageView } from '../features/dialog/timeline/message.view';
import { tellDone, tellFailed } from '../shared/notices/notice.store';
import { EmptyState, ErrorState, LoadingState } from '../shared/ui/states.view';
import { CARD_SAMPLES, MESSAGE_SAMPLES } from './design-samples';
import classes from './design.module.css';

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
