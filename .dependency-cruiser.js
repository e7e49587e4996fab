const { readdirSync } = require('node:fs');

/** The arrows of ARCHITECTURE.md. Each rule is one arrow that must not exist, with the reason. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** What several features of the server share, and the commands, which put them together. */
const SHARED = ['commands', 'http', 'logs', 'metrics'];

const FEATURES = readdirSync('apps/server/src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED.includes(entry.name))
  .map(({ name }) => name)
  .join('|');

/** Persistence from the ground up: a folder knows only folders of lower floors. */
const PERSISTENCE_FLOORS = [
  ['database'],
  ['audit'],
  ['accounts', 'events', 'work'],
  ['assistants', 'media'],
  ['bots'],
  ['threads'],
  ['leads', 'ai-switch', 'messages'],
  ['agent', 'board', 'scenarios', 'templates', 'transfer', 'webhooks'],
  ['figures', 'webhooks-out'],
  ['privacy'],
  ['backup', 'sweeps'],
];

const persistenceFloors = PERSISTENCE_FLOORS.map((folders, floor) => {
  const below = PERSISTENCE_FLOORS.slice(0, floor).flat();
  return rule(
    `persistence-floor-${folders.join('-')}`,
    'What is kept stands on what it names: an account, a bot, a thread. Folders of one floor do not know each other.',
    { path: `^libs/persistence/src/(${folders.join('|')})/`, pathNot: '\\.spec\\.ts$' },
    {
      path: '^libs/persistence/src/[^/]+/',
      pathNot: [...below.map((folder) => `^libs/persistence/src/${folder}/`), '^libs/persistence/src/$1/'],
    },
  );
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule(
      'no-circles',
      'Two files that need each other are one idea, or hide a third.',
      {},
      { circular: true },
    ),
    rule(
      'contracts-import-nothing',
      'Contracts are the words that both ends share; whatever they import, the web page imports too. Phones are read by the numbering plans of all countries, which are a package.',
      { path: '^libs/contracts/' },
      { pathNot: '^(libs/contracts|node_modules/libphonenumber-js)/' },
    ),
    rule(
      'client-knows-contracts-only',
      'What the page, a command line or a program of others needs of the service is in no framework.',
      { path: '^libs/client/', pathNot: '\\.spec\\.ts$' },
      { pathNot: '^(libs/(client|contracts)/|node_modules/(socket\\.io-client|openapi-fetch)/)' },
    ),
    rule(
      'client-is-for-callers',
      'The service does not call itself.',
      { path: '^(apps/(?!monitor|cli)|libs/(?!client))', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/client/' },
    ),
    rule(
      'config-reads-the-environment-only',
      'Settings are parsed once, before anything else exists.',
      { path: '^libs/config/' },
      { path: '^(apps|test|libs/(?!config|contracts))' },
    ),
    rule(
      'persistence-knows-no-rules',
      'How things are kept must not depend on what may happen to them.',
      { path: '^libs/persistence/' },
      { path: '^(apps|test|libs/(?!persistence|contracts|config))' },
    ),
    rule(
      'domain-knows-no-edge',
      'The rules hold whether a call came by HTTP, by a socket or by a job.',
      { path: '^libs/domain/', pathNot: '\\.spec\\.ts$' },
      {
        path: [
          '^(apps|test)/',
          'node_modules/(express|socket\\.io|@nestjs/(swagger|websockets|platform-|throttler))',
        ],
      },
    ),
    rule(
      'integrations-implement-ports',
      'An adapter knows what the domain asks for and what the provider speaks, neither rules nor tables.',
      { path: '^libs/integrations/', pathNot: '\\.spec\\.ts$' },
      { path: '^(apps|test|libs/persistence|libs/domain/src/(?!.*(\\.port|-events)\\.ts$))' },
    ),
    rule(
      'libraries-know-no-adapter',
      'The domain names its ports; which adapter stands behind one is the application’s choice.',
      { path: '^libs/(?!integrations)', pathNot: '\\.spec\\.ts$' },
      { path: '^libs/integrations/' },
    ),
    rule(
      'sandbox-imitates-from-outside',
      'A stand-in that shares code with what it tests would share its faults too.',
      { path: '^apps/sandbox/', pathNot: '\\.spec\\.ts$' },
      { path: '^(test|apps/(?!sandbox)|libs/(?!contracts))' },
    ),
    rule(
      'server-asks-the-domain',
      'A controller that reads tables goes around the rules.',
      { path: '^apps/server/', pathNot: '\\.spec\\.ts$' },
      { path: '^(libs/persistence|apps/(?!server)|test)/' },
    ),
    rule(
      'server-features-are-neighbours',
      "A feature that needs another one's folder needs the domain, or a place both share. Who has signed in is shown as people are.",
      { path: `^apps/server/src/(${FEATURES})/`, pathNot: '\\.spec\\.ts$' },
      {
        path: `^apps/server/src/(${FEATURES})/`,
        pathNot: ['^apps/server/src/$1/', '^apps/server/src/accounts/user\\.answer\\.ts$'],
      },
    ),
    rule(
      'demo-composes',
      'The demo puts together what exists; of the server it starts the whole.',
      { path: '^apps/demo/', pathNot: '\\.spec\\.ts$' },
      { path: '^(test|apps/(?!demo|server|sandbox))/' },
    ),
    rule(
      'nothing-imports-applications',
      'Applications are ends; what two of them share is a library.',
      { path: '^apps/(server|monitor|sandbox|cli)/', pathNot: '\\.spec\\.ts$' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'monitor-asks-by-the-contracts',
      'Whatever the page can do, a client of ours can do too.',
      { path: '^apps/monitor/' },
      { path: '^(test|apps/(?!monitor)|libs/(?!client|contracts))' },
    ),
    rule(
      'cli-asks-by-the-client',
      'What can be typed, a program of others can do too; and a verb starts without the code of the server.',
      { path: '^apps/cli/', pathNot: '\\.spec\\.ts$' },
      { path: '^(test|apps/(?!cli)|libs/(?!client|contracts))' },
    ),
    rule(
      'monitor-features-are-neighbours',
      'What two features of the page need is shared; what puts them together is the application.',
      { path: '^apps/monitor/src/features/([^/]+)/' },
      { path: '^apps/monitor/src/(app|features)/', pathNot: '^apps/monitor/src/features/$1/' },
    ),
    rule(
      'monitor-shared-knows-no-feature',
      'Shared parts of the page are below its features.',
      { path: '^apps/monitor/src/shared/' },
      { path: '^apps/monitor/src/(app|features)/' },
    ),
    rule(
      'libraries-know-no-application',
      'Applications put libraries together; a library that knows one of them serves no other.',
      { path: '^libs/', pathNot: '\\.spec\\.ts$' },
      { path: '^apps/' },
    ),
    rule(
      'nothing-imports-tests',
      'Test code is not shipped.',
      { path: '^(apps|libs)/', pathNot: '\\.spec\\.ts$' },
      { path: '^test/' },
    ),
    // Inside persistence.
    ...persistenceFloors,
    rule(
      'persistence-folders-have-a-floor',
      'A new folder of persistence takes its place in PERSISTENCE_FLOORS.',
      {
        path: '^libs/persistence/src/[^/]+/',
        pathNot: `^libs/persistence/src/(${PERSISTENCE_FLOORS.flat().join('|')})/`,
      },
      { path: '^libs/persistence/' },
    ),
    // Inside the domain: accounts <- leads <- ai-switch, assistants <- agent; all notify by events; board only listens.
    rule(
      'domain-accounts-first',
      'Who calls is known before anything else.',
      { path: '^libs/domain/src/accounts/' },
      { path: '^libs/domain/src/(?!accounts|audit)' },
    ),
    rule(
      'domain-audit-knows-the-caller-only',
      'What an entry shows of a thing is said beside the thing.',
      { path: '^libs/domain/src/audit/' },
      { path: '^libs/domain/src/(?!audit|accounts/(principal\\.rules|access-table|network\\.rules))' },
    ),
    rule(
      'domain-events-know-no-listener',
      'A notification carries nothing and knows no listener.',
      { path: '^libs/domain/src/events/' },
      { path: '^libs/domain/src/(?!events)' },
    ),
    rule(
      'domain-work-knows-no-feature',
      'Due work is one mechanism: what is due, and what is done about it, is its workers’ business.',
      { path: '^libs/domain/src/work/' },
      { path: '^libs/domain/src/(?!work)' },
    ),
    rule(
      'domain-leads-before-switch',
      'A move knows the switch by the columns of the row only.',
      { path: '^libs/domain/src/leads/' },
      { path: '^libs/domain/src/(?!leads|accounts|audit|events|work)' },
    ),
    rule(
      'domain-messages-after-the-switch',
      'What is sent and what comes in may move the switch; templates and webhooks build on messages.',
      { path: '^libs/domain/src/messages/' },
      { path: '^libs/domain/src/(?!messages|ai-switch|leads|accounts|audit|events|work)' },
    ),
    rule(
      'domain-assistants-before-agent',
      'What an agent is told and given stands by itself; replies build on it.',
      { path: '^libs/domain/src/assistants/' },
      { path: '^libs/domain/src/agent/' },
    ),
    rule(
      'domain-webhooks-only-listen',
      'Nothing depends on how a fact came in.',
      { path: '^libs/domain/src/(?!webhooks/|domain\\.module)' },
      { path: '^libs/domain/src/webhooks/(?!provider-events)' },
    ),
    rule(
      'domain-webhooks-out-only-listens',
      'Nothing depends on who is told of it: what goes out is read from the log.',
      { path: '^libs/domain/src/(?!webhooks-out/|domain\\.module)' },
      { path: '^libs/domain/src/webhooks-out/' },
    ),
    rule(
      'domain-board-only-listens',
      'Whoever moves a lead does not know that boards exist.',
      { path: '^libs/domain/src/(?!board|health|domain\\.module)' },
      { path: '^libs/domain/src/board/' },
    ),
    rule(
      'dependencies-are-declared',
      'What runs in production must be a dependency of package.json, by its own name.',
      { path: '^(apps|libs)/', pathNot: '\\.spec\\.tsx?$|^apps/monitor/testing/' },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'unknown', 'undetermined'],
        pathNot: '^node_modules/@types/',
      },
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'types', 'default', 'import'],
    },
  },
};
