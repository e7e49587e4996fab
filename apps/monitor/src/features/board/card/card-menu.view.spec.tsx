/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { BoardStore } from '@app/client/board/board.store';
import type { FunnelStage } from '@app/contracts/lead.words';
import { card, IDS, openView, screen, waitFor } from '../../../../testing/page-harness';
import { userEvent } from '@testing-library/user-event';
import { LiveContext, type Live } from '../../../shared/live/live-context';
import { CardMenu } from './card-menu.view';

const stage = (id: string, name: string, order: number): FunnelStage => ({
  ...{ id, name, order, kind: 'active', description: null },
  ...{ ai_enabled: true, ai_transition_locked: false },
});
const STAGES = [
  stage('s1', 'Новая заявка', 1),
  stage('s2', 'В работе', 2),
  stage('s3', 'Оплачено', 3),
  stage('s4', 'В архиве', 4),
];

it('letters lead to a stage in the menu of a card, from the present one on', async () => {
  const lead = card({ waiting: true, waiting_since: new Date().toISOString(), lead_status: STAGES[1]! });
  const store = new BoardStore();
  store.expect({ assistantId: IDS.agent, sort: 'activity' });
  const column = (status_id: string | null, cards = [] as (typeof lead)[]) => ({
    ...{ status_id, total: cards.length, cards, next_cursor: null },
  });
  store.snapshot({
    ...{ seq: 1, statuses: STAGES },
    columns: [column(null), ...STAGES.map(({ id }) => column(id, id === 's2' ? [lead] : []))],
  });
  openView(
    <LiveContext value={{ store } as Live}>
      <main id="content">
        <CardMenu view={store.card(lead.thread_id)!} />
      </main>
    </LiveContext>,
  );
  const present = await screen.findByRole('menuitemradio', { name: 'В работе' });
  await waitFor(() => expect(present).toBe(document.activeElement));
  const user = userEvent.setup();
  const reached: (string | null | undefined)[] = [];
  for (const key of ['в', 'В', 'в']) {
    await user.keyboard(key);
    reached.push(document.activeElement?.textContent);
  }
  expect(reached).toEqual(['В архиве', 'В работе', 'В архиве']);
});
