const { Client } = require('pg');
const { TimedSendPermit } = require('../../../dist/libs/domain/src/messages/timed-send.permit');
const { expectMembers, expectStatement } = require('./plant.guard');

expectMembers(TimedSendPermit.prototype, 'function', 'isValid', 'used');
expectStatement('libs/persistence/src/agent/reply-part.repository.js', "('reply-grant-send-permit')");
expectStatement('libs/persistence/src/ai-switch/ai-switch.repository.js', "'ai-switch'");
expectStatement('libs/persistence/src/leads/lead.statements.js', "'lead-move'");
expectStatement('libs/persistence/src/messages/outbox.statements.js', "'outbox-store-text'");
expectStatement(
  'libs/persistence/src/scenarios/dialog-write.statements.js',
  "('scenario-dialogs-write')",
  'permit_ms float8',
);
expectStatement('libs/persistence/src/scenarios/dialog.writer.js', 'dialogs: JSON.stringify(');

/**
 * Loaded into a server before all else: delays the gate's answer on its way to whoever writes the request, as a busy
 * event loop does, and tells on the standard error output when what happened, by the machine's monotonic clock.
 */
const MOST_MS = Number(process.env.PLANTED_MS ?? 3);
/** The share of delays in which the event loop is busy. */
const BUSY_SHARE = Number(process.env.PLANTED_BUSY ?? 0.5);
/** The statements that are reported. The second value of each is the dialog. */
const WORDS = {
  'reply-grant-send-permit': 'gate',
  'ai-switch': 'switch',
  'lead-move': 'move',
  'outbox-store-text': 'text',
};
/** Those after which nothing is delayed. */
const CALLS = ['switch', 'move', 'text'];
/** Permits of runs are granted by the commit of this statement. Its third value says for which dialogs. */
const RUN_GATE = 'scenario-dialogs-write';
const grantedBy = ({ values }) =>
  JSON.parse(values[2]).flatMap(({ thread_id: id, permit_ms: ms }) => (ms === null ? [] : [id]));
const now = () => Number(process.hrtime.bigint()) / 1e6;
const tell = (...words) => process.stderr.write(`planted ${words.join(' ')}\n`);

const later = (answer) => {
  const delayMs = Math.random() * MOST_MS;
  if (Math.random() >= BUSY_SHARE) return setTimeout(answer, delayMs);
  for (const end = now() + delayMs; now() < end;);
  answer();
};

/** The dialogs for whose runs a connection's transaction grants permits. */
const granting = new WeakMap();
const { query } = Client.prototype;
Client.prototype.query = function (given, values, answered) {
  if (given?.name === RUN_GATE) granting.set(this, grantedBy(given));
  if (typeof given === 'string' && granting.has(this)) {
    const dialogs = granting.get(this);
    granting.delete(this);
    return query.call(this, given).then((result) => {
      for (const dialog of dialogs) tell('gate', dialog, now(), given === 'COMMIT' ? 1 : 0);
      return new Promise((resolve) => later(() => resolve(result)));
    });
  }
  const word = WORDS[given?.name];
  if (!word || typeof answered !== 'function') return query.apply(this, arguments);
  return query.call(this, given, values, (error, result) => {
    tell(word, given.values[1], now(), result?.rows.length ?? 0);
    if (CALLS.includes(word)) return answered(error, result);
    later(() => answered(error, result));
  });
};

/** For each permit: the last check, and its use. */
let permissions = 0;
const numbers = new WeakMap();
const numberOf = (permit) => {
  if (!numbers.has(permit)) numbers.set(permit, (permissions += 1));
  return numbers.get(permit);
};
const { isValid, used } = TimedSendPermit.prototype;
TimedSendPermit.prototype.isValid = function () {
  const number = numberOf(this);
  const valid = isValid.call(this);
  const at = now();
  // Reported later, so that writing to the pipe does not fall between the check and the request.
  setImmediate(() => tell('look', number, at, valid ? 1 : 0));
  return valid;
};
TimedSendPermit.prototype.used = function () {
  const at = now();
  setImmediate(() => tell('used', numberOf(this), at, 1));
  used.call(this);
};
