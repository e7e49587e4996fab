const { existsSync } = require('node:fs');
const { GuardedConnection } = require('../../../dist/libs/integrations/src/http-tools/guarded.connection');
const { IntegrationsModule } = require('../../../dist/libs/integrations/src/integrations.module');
const { expectMembers } = require('./plant.guard');

expectMembers(GuardedConnection, 'function', 'open');
expectMembers(GuardedConnection.prototype, 'function', 'send');
expectMembers(IntegrationsModule, 'function', 'forSettings');

/**
 * Loaded into a server before all else: addresses of this machine are called, as in the demo, and an address may say in
 * its query how long connecting takes (`connect_ms`), or until which file is there (`connect_until`, of `call.gate.ts`), and
 * how long it takes from the permit to the write (`write_ms`). With PLANTED_AT_ONCE nothing takes long.
 */
const pause = (url, name) =>
  new Promise((resolve) => {
    const ms = process.env.PLANTED_AT_ONCE ? null : new URL(url).searchParams.get(name);
    setTimeout(resolve, Number(ms ?? 0));
  });
/** A gate that nobody opens keeps no process from its end. */
const untilThere = async (path) => {
  while (path !== null && !process.env.PLANTED_AT_ONCE && !existsSync(path))
    await new Promise((resolve) => setTimeout(resolve, 20).unref());
};
const tell = (word, url) => process.stderr.write(`planted ${word} ${new URL(url).pathname}\n`);

const { forSettings } = IntegrationsModule;
IntegrationsModule.forSettings = (settings) =>
  forSettings.call(IntegrationsModule, { ...settings, toolsReachThisMachine: true });

const { open } = GuardedConnection;
GuardedConnection.open = async (url, ...rest) => {
  tell('connecting', url);
  const connection = await open.call(GuardedConnection, url, ...rest);
  await pause(url, 'connect_ms');
  await untilThere(new URL(url).searchParams.get('connect_until'));
  tell('connected', url);
  return connection;
};

const { send } = GuardedConnection.prototype;
GuardedConnection.prototype.send = async function (call) {
  tell('writing', call.url);
  await pause(call.url, 'write_ms');
  return send.call(this, call);
};
