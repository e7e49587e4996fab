/** @jest-environment ./apps/monitor/testing/page.environment.js */
import type { Assignee } from '@app/contracts/lead.words';
import { bodiesOf, card, openView, screen, waitFor, type Answers } from '../../../../testing/page-harness';
import { AssigneeMenu } from './head-menus.view';

const DANA: Assignee = { id: 'user-dana', name: 'Dana' };
const FORMER: Assignee = { id: 'user-former', name: 'Zoya' };
const ANSWERS: Answers = {
  'post /api/v1/leads/get-assignees': { assignees: [{ id: 'user-berik', name: 'Berik' }, DANA] },
  'post /api/v1/leads/assign': { thread_id: 'thread_1', changed: true, assignee: DANA },
};

/** For an operator, who may not list the people of the account. */
async function open(assignee: Assignee | null) {
  const onAssigned = jest.fn();
  openView(<AssigneeMenu card={card({ assignee })} onAssigned={onAssigned} />, {
    as: { role: 'operator' },
    answers: ANSWERS,
  });
  (await screen.findByRole('button')).click();
  await screen.findByRole('menuitemradio', { name: 'Berik' });
  return onAssigned;
}

const choices = (): (string | null)[] =>
  screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent);

describe('whom a dialog can be assigned to', () => {
  it('is everybody who may have it, whether the page has met them or not', async () => {
    const onAssigned = await open(null);
    expect(choices()).toEqual(['Me', 'Nobody', 'Berik', 'Dana']);
    screen.getByRole('menuitemradio', { name: 'Dana' }).click();
    await waitFor(() => expect(onAssigned).toHaveBeenCalledWith(DANA));
    expect(bodiesOf('post').at(-1)).toEqual({ thread_id: 'thread_1', user_id: DANA.id });
  });

  it('is whoever has it, too, though they may not get it any more', async () => {
    await open(FORMER);
    expect(choices()).toEqual(['Me', 'Nobody', 'Zoya', 'Berik', 'Dana']);
  });
});
