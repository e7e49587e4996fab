/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { bodiesOf, card, openView, screen, template, waitFor } from '../../../../testing/page-harness';
import { TemplateForm } from './templates.view';

const nothing = (): void => undefined;

it.each([
  ['has no phone', null],
  ['has a phone, which leads to another dialog of theirs, too', '+77015551006'],
])('a template goes to the dialog in which it was chosen, whose customer %s', async (_, phone) => {
  const onSent = jest.fn();
  const given = card({ phone });
  openView(<TemplateForm card={given} template={template()} onBack={nothing} onSent={onSent} />, {
    answers: {
      'post /api/v1/messages/send-template': {
        ...{ id: 'm1', message_id: null, phone, status: 'sent', thread_id: given.thread_id },
      },
    },
  });
  (await screen.findByRole('button', { name: 'Send the template' })).click();
  await waitFor(() => expect(onSent).toHaveBeenCalled());
  expect(bodiesOf('post')).toEqual([expect.objectContaining({ to: { thread_id: given.thread_id } })]);
});
