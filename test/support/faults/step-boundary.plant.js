const { Client } = require('pg');
const { CallBatcher } = require('../../../dist/libs/persistence/src/database/call.batcher');
const { GuardedConnection } = require('../../../dist/libs/integrations/src/http-tools/guarded.connection');
const { InFlightLimiter } = require('../../../dist/libs/contracts/src/in-flight.limiter');
const { CONNECTIONS } = require('../../../dist/libs/persistence/src/database/connection.budget');
const { MessageDispatcher } = require('../../../dist/libs/domain/src/messages/message-dispatcher.service');
const { expectMembers, expectStatement } = require('./plant.guard');

expectMembers(CallBatcher.prototype, 'function', 'call');
expectMembers(GuardedConnection.prototype, 'function', 'send');
expectMembers(InFlightLimiter.prototype, 'function', 'mayEnter');
expectMembers(CONNECTIONS, 'number', 'default');
expectMembers(MessageDispatcher.prototype, 'function', 'request', 'keep');
expectStatement(
  'libs/persistence/src/scenarios/run-queue.repository.js',
  "('scenario-queues-claim').takes('accountIds', 'threadIds', 'tokens',",
);
expectStatement(
  'libs/persistence/src/scenarios/dialog-write.statements.js',
  "('scenario-dialogs-write')",
  'permit_ms float8',
);
expectStatement('libs/persistence/src/scenarios/dialog.writer.js', 'dialogs: JSON.stringify(');

/**
 * Loaded into a server before all else: it serves the runs of the given dialogs only, and holds each one at a boundary of
 * one of its steps, until SIGCONT. What is held is reported on the standard error output.
 */
const CLAIM = 'scenario-queues-claim';
const WRITE = 'scenario-dialogs-write';
/** Where a dialog is held: { threadId, phone, step, at }. */
const points = JSON.parse(process.env.PLANTED_POINTS);
const byThread = new Map(points.map((point) => [point.threadId, point]));
const byPhone = new Map(points.map((point) => [point.phone, point]));

const held = [];
let isOver = false;
process.on('SIGCONT', () => {
  isOver = true;
  for (const goOn of held.splice(0)) goOn();
});

/** Holds a dialog that has come to its boundary. */
function hold(point, at) {
  if (isOver || !point || point.isHeld || ![at].flat().includes(point.at)) return Promise.resolve();
  point.isHeld = true;
  process.stderr.write(`planted held ${point.threadId} ${Number(process.hrtime.bigint()) / 1e6} 1\n`);
  return new Promise((goOn) => held.push(goOn));
}

/** The boundaries that a transaction comes to which writes this of a dialog's runs. */
function boundariesOf(point, { values }) {
  const [{ permit_ms: permitMs }] = JSON.parse(values[2]);
  const noted = JSON.parse(values[4])
    .flatMap(({ progress }) => progress)
    .find(({ index }) => index === point.step);
  if (noted?.finished_at) return ['settled'];
  return noted && permitMs !== null ? ['begun', 'permit'] : ['begun'];
}

/** Each dialog alone, for one that is held holds up all that share its statement. */
CallBatcher.prototype.call = async function (call) {
  return (await this.batched.act([call]))[0];
};

/** A dialog that is held keeps its connection and its account's slot, which the others need. */
CONNECTIONS.default += points.length;
InFlightLimiter.prototype.mayEnter = () => true;

/** What the transaction of a connection has written. */
const writing = new WeakMap();
const { query } = Client.prototype;
Client.prototype.query = function (given, values, answered) {
  if (given?.name === CLAIM && typeof answered === 'function') {
    const point = byThread.get(given.values[1][0]);
    // One that is held is not claimed anew when its lease is over: it would go beyond its boundary.
    const isServed = point && (isOver || !point.isHeld);
    if (!isServed) return void setImmediate(() => answered(null, { rows: [] }));
    return query.call(this, given, values, (error, result) => {
      const claimed = !error && result.rows.length > 0;
      void (claimed ? hold(point, 'after claim') : Promise.resolve()).then(() => answered(error, result));
    });
  }
  if (given?.name === WRITE) writing.set(this, given);
  if (given !== 'COMMIT' || !writing.has(this)) return query.apply(this, arguments);
  const written = writing.get(this);
  writing.delete(this);
  const point = byThread.get(written.values[1][0]);
  const boundaries = point ? boundariesOf(point, written) : [];
  const at = (when) => boundaries.map((boundary) => `${when} ${boundary}`);
  return hold(point, at('before'))
    .then(() => query.call(this, given))
    .then((result) => hold(point, at('after')).then(() => result));
};

/** The dialogs of messages whose outcome is not stored. */
const dialogs = new Map();
const { request, keep } = MessageDispatcher.prototype;
MessageDispatcher.prototype.request = async function (open, attempt, message) {
  dialogs.set(attempt.id, byPhone.get(message.recipient));
  return request.call(this, open, attempt, message);
};
MessageDispatcher.prototype.keep = async function (queue, dispatched) {
  const point = dialogs.get(dispatched.attempt.id);
  await hold(point, 'after answer');
  await keep.call(this, queue, dispatched);
  await hold(point, 'after outcome');
};

const { send } = GuardedConnection.prototype;
GuardedConnection.prototype.send = async function (call) {
  const answer = await send.call(this, call);
  const { phone } = JSON.parse(call.body);
  await hold(byPhone.get(phone), 'after call');
  return answer;
};
