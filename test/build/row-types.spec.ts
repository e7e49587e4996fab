import ts from 'typescript';
import { lineOf, nodesOf, sources } from './persistence.sources';

/** Columns that a statement computes, though some entity has a column of that name. */
const COMPUTED: Record<string, string> = {
  'ActiveSession.bot_ids': 'the bots of the agents that a person sees',
  'AdmittedKey.used': 'calls in a minute, not the quota that is used',
  'AdmittedSession.used': 'likewise',
  'AgentName.id': 'of an agent, whose entity accounts do not know',
  'AgentName.name': 'likewise',
  'Counted.at': 'the database’s time',
  'CountRow.counted': 'numbers of events',
  'OpenRun.replied': 'whether the customer replied since the run’s last message',
  'returns.request_id': 'of the event’s body',
  'returns.state': 'how an endpoint fares',
  'CountRow.total': 'a count of threads',
  'FeedStart.head': 'the newest number of the log',
  'ListedBatchRow.template': 'of the messages of a list, with what is known of it',
  'HistoryRow.provider_code': 'of the event’s body',
  'HistoryRow.type': 'only the types of events that a history shows',
  'LookRow.seq': 'null, and by that told from a row with an event',
  'SaidOfThread.type': 'of a message, whose entity threads do not know',
  'SaidOfThread.text': 'likewise',
  'SaidOfThread.content': 'likewise',
  'TotalRow.total': 'a count of threads',
  'ParkedRow.at': 'the time in the report, or that of the row',
};

/** What a column's name may begin with in a statement that joins several tables. */
const PREFIX = /^(status|stage|to|from|event|bot|message|thread)_/;

const isEntity = (node: ts.Node): boolean => node.getSourceFile().fileName.endsWith('.entity.ts');
const nodes = sources.flatMap((source) => [...nodesOf(source)]);

const columns = new Set(
  nodes.filter((node) => ts.isPropertyDeclaration(node) && isEntity(node)).map((node) => nameOf(node)),
);

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
const declarations = nodes.filter(
  (node): node is Declaration =>
    (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && !isEntity(node),
);

function nameOf(node: ts.Node): string {
  return ts.isPropertyDeclaration(node) || ts.isPropertySignature(node) ? node.name.getText() : '';
}

/** Type arguments of `returns<…>`. */
const returned = nodes.flatMap((node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'returns'
    ? (node.typeArguments ?? [])
    : [],
);

/** The types of rows, with all that they are made of, but not the entities and how their columns are returned. */
function rowTypes(): Set<ts.Node> {
  const found = new Set<ts.Node>(returned);
  for (const type of found)
    for (const node of nodesOf(type))
      if (ts.isIdentifier(node))
        for (const declaration of declarations)
          if (
            declaration.name.text === node.text &&
            !declaration.getSourceFile().fileName.endsWith('row-types.ts')
          )
            found.add(declaration);
  return found;
}

const isColumn = (name: string): boolean => {
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return columns.has(column) || columns.has(column.replace(PREFIX, ''));
};

/** Of which declared type a part is; of none, where it is written between the brackets of `returns<…>`. */
function ownerOf(node: ts.Node): string {
  for (let up: ts.Node | undefined = node; up; up = up.parent)
    if (ts.isInterfaceDeclaration(up) || ts.isTypeAliasDeclaration(up)) return up.name.text;
  return 'returns';
}

/** Columns of a row whose types are written by hand. */
const byHand = [...rowTypes()].flatMap((type) =>
  [...nodesOf(type)].flatMap((node) => {
    const names = ts.isPropertySignature(node)
      ? /Entity\['/.test(node.type?.getText() ?? '')
        ? []
        : [nameOf(node)]
      : ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Record'
        ? [...(node.typeArguments?.[0]?.getText().matchAll(/'(\w+)'/g) ?? [])].map(([, name]) => String(name))
        : [];
    return names.filter(isColumn).map((name) => ({
      column: `${ownerOf(node)}.${name}`,
      at: `${node.getSourceFile().fileName}:${lineOf(node)}`,
    }));
  }),
);

describe('The rows of statements', () => {
  it('are found, and so are the columns of the entities', () => {
    expect(returned.length).toBeGreaterThan(70);
    expect(rowTypes().size).toBeGreaterThan(100);
    expect(columns.size).toBeGreaterThan(150);
  });

  it('take the columns of a table from its entity, and declare only what is computed', () => {
    expect(byHand.filter(({ column }) => !(column in COMPUTED))).toEqual([]);
  });

  it('have no exception that is not needed', () => {
    const needed = byHand.map(({ column }) => column);
    expect(Object.keys(COMPUTED).filter((column) => !needed.includes(column))).toEqual([]);
  });
});
