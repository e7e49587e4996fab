import { RunFolder } from '../support/programs/run.folder';
import { benchAborts } from './aborts.bench';
import { SIZES, type BenchSize } from './bench.size';
import { benchBulk } from './bulk.bench';
import { withinDeadline } from './deadline.guard';
import { benchEvents } from './events.bench';
import { benchFigures } from './figures.bench';
import { benchImport } from './import.bench';
import { benchLeads, LEAD_PARTS } from './leads.bench';
import { benchLists } from './lists.bench';
import { benchMonitor } from './monitor.bench';
import { benchScenarios } from './scenarios.bench';
import { benchWebhooks } from './webhooks.bench';
import { benchWork } from './work.bench';

const DEADLINE_MS: Readonly<Record<BenchSize, number>> = { full: 1_800_000, quick: 900_000, smoke: 240_000 };

interface Order {
  size: BenchSize;
  parts: readonly string[];
}

const PARTS = [
  ...LEAD_PARTS,
  'bulk',
  'webhooks',
  'aborts',
  'work',
  'scenarios',
  'import',
  'events',
  'lists',
  'figures',
  'monitor',
];

/** `--only=<part>`, several with commas; `--quick` for fewer and shorter rounds, `--smoke` for seconds. */
function orderOf(words: readonly string[]): Order {
  const order: Order = { size: 'full', parts: PARTS };
  for (const word of words) {
    const size = SIZES.find((name) => word === `--${name}`);
    if (size) order.size = size;
    else if (word.startsWith('--only=')) order.parts = word.slice('--only='.length).split(',');
    else throw new Error(`${word} is no word of the benchmark: --only=<part>, --quick, --smoke`);
  }
  const unknown = order.parts.find((part) => !PARTS.includes(part));
  if (unknown !== undefined) throw new Error(`no part is called ${unknown}: there are ${PARTS.join(', ')}`);
  return order;
}

async function measure({ size, parts }: Order): Promise<void> {
  const lead = LEAD_PARTS.filter((part) => parts.includes(part));
  if (lead.length > 0) await benchLeads(size, lead);
  if (parts.includes('bulk')) await benchBulk(size);
  if (parts.includes('webhooks')) await benchWebhooks(size);
  if (parts.includes('aborts')) await benchAborts(size);
  if (parts.includes('work')) await benchWork(size);
  if (parts.includes('scenarios')) await benchScenarios(size);
  if (parts.includes('import')) await benchImport(size);
  if (parts.includes('events')) await benchEvents(size);
  if (parts.includes('lists')) await benchLists(size);
  if (parts.includes('figures')) await benchFigures(size);
  if (parts.includes('monitor')) await benchMonitor(size);
}

/** Whatever ends the run, its watcher ends PostgreSQL and all that was started. */
async function bench(order: Order): Promise<void> {
  if (order.size === 'smoke')
    console.log('A smoke run shows that every part still runs; its figures say nothing.');
  const folder = RunFolder.open('leadline-bench-');
  try {
    await withinDeadline('the benchmark', DEADLINE_MS[order.size], measure(order));
  } finally {
    await folder.close();
  }
}

Promise.resolve()
  .then(() => bench(orderOf(process.argv.slice(2))))
  .then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
