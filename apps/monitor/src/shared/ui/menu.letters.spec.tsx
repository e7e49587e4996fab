/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { userEvent } from '@testing-library/user-event';
import { openView, screen } from '../../../testing/page.harness';
import { focusByLetter } from './menu.letters';

const STAGES = ['Новая заявка', 'В работе', 'Оплачено', 'В архиве', 'Paid'];

it('a letter leads to the next item that begins with it, and the page behind does not hear it', async () => {
  const heard: string[] = [];
  const user = userEvent.setup();
  openView(
    <div onKeyDown={({ key }) => heard.push(key)}>
      <div role="menu" onKeyDown={focusByLetter}>
        {STAGES.map((name) => (
          <button key={name} type="button" role="menuitemradio" aria-checked="false">
            {name}
          </button>
        ))}
      </div>
    </div>,
  );
  const items = await screen.findAllByRole('menuitemradio');
  items[0]?.focus();
  const reached: (string | null | undefined)[] = [];
  for (const key of ['в', 'В', 'в', 'p', 'о', 'x', '{Control>}в{/Control}']) {
    await user.keyboard(key);
    reached.push(document.activeElement?.textContent);
  }
  expect(reached).toEqual([
    ...['В работе', 'В архиве', 'В работе', 'Paid', 'Оплачено'],
    // No stage begins with it, and with Control it is no letter.
    ...['Оплачено', 'Оплачено'],
  ]);
  expect(heard).toEqual(['Control', 'в']);
});
