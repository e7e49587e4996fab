const { Client, Pool } = require('pg');
const { expectStatement } = require('./plant.guard');

/**
 * Loaded into a server before all else: a process that has claimed due work of the given account gets no answer to its claim,
 * until SIGUSR2. So it may be killed or frozen with the claim in its hands. Each claim is reported on the standard error output.
 */
const CLAIMS = {
  'reply-claim': 'agent/reply.statements',
  'send-queue-take': 'messages/send-queue.statements',
  'webhook-delivery-claim-due': 'webhooks/webhook-delivery.statements',
  'media-claim': 'messages/fetched-media.repository',
  'scenario-queues-claim': 'scenarios/run-queue.repository',
  'endpoint-queues-claim': 'webhooks-out/endpoint-queue.statements',
  'archived-stage-move-out': 'scenarios/archived-stage.statements',
  'search-take-messages': 'threads/thread-search.statements',
  'retention-claim': 'privacy/retention.repository',
  'figures-lock-if-free': 'figures/position.statements',
  'import-claim': 'transfer/import-claim.statements',
};
for (const [name, file] of Object.entries(CLAIMS))
  expectStatement(`libs/persistence/src/${file}.js`, `('${name}')`);

const account = process.env.PLANTED_ACCOUNT;
/** Webhooks are stored before anybody knows whose they are: the test writes the account's id into theirs. */
const isOurs = ({ values }, rows) =>
  JSON.stringify([values, rows]).includes(account) || rows.some(({ body }) => body?.includes(account));

let goOn = () => undefined;
const released = new Promise((resolve) => (goOn = resolve));
process.once('SIGUSR2', () => goOn());

const isClaim = (given) => given?.name in CLAIMS;

async function held(given, asked) {
  const result = await asked;
  if (result.rows.length > 0 && isOurs(given, result.rows)) {
    process.stderr.write(`planted held ${given.name} ${Number(process.hrtime.bigint()) / 1e6} 1\n`);
    await released;
  }
  return result;
}

/** The connection is free again where the claim is a statement by itself. */
const { query: ask } = Pool.prototype;
Pool.prototype.query = function (given, ...rest) {
  const asked = ask.call(this, given, ...rest);
  return isClaim(given) ? held(given, asked) : asked;
};

/** In a transaction it stays with the one who has claimed. */
const { query } = Client.prototype;
Client.prototype.query = function (given, ...rest) {
  const asked = query.call(this, given, ...rest);
  return isClaim(given) && asked instanceof Promise ? held(given, asked) : asked;
};
