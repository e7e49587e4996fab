const { IntegrationsModule } = require('../../../dist/libs/integrations/src/integrations.module');
const { expectMembers } = require('./plant.guard');

expectMembers(IntegrationsModule, 'function', 'forSettings');

/** Loaded into a server before all else: addresses of this machine are called, as in the demo. */
const { forSettings } = IntegrationsModule;
IntegrationsModule.forSettings = (settings) =>
  forSettings.call(IntegrationsModule, { ...settings, toolsReachThisMachine: true });
