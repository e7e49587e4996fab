// Shows an agent's board, and then each move of a lead, until Ctrl-C:
//   node follow-board.ts <agent>
import { leadline } from './service.ts';

const [assistantId = ''] = process.argv.slice(2);
const board = leadline.board({ assistantId });
board.on('refused', ({ code, message }) => {
  console.error(`${code}: ${message}`);
  board.close();
  process.exitCode = 1;
});
board.on('state', (state) => console.error(state));
board.on('card.moved', ({ card, status, actor }) =>
  console.log(`${card.phone} is at ${status?.name ?? 'no stage'}, by ${actor?.name ?? 'the service'}`),
);
process.once('SIGINT', () => board.close());

await board.ready.catch(() => process.exit());
for (const { stage, total } of board.columns()) console.log(`${stage?.name ?? 'no stage'}: ${total}`);
