import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
export const PERSISTENCE = 'libs/persistence/src';

/** The sources of persistence, parsed, with their paths from the root; without specs and migrations. */
export const sources = readdirSync(join(ROOT, PERSISTENCE), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('migrations/'))
  .map((file) => join(ROOT, PERSISTENCE, file))
  .map((file) =>
    ts.createSourceFile(relative(ROOT, file), readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
  );

/** Each node below one, itself included. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

/** The line of a node, from 1. */
export const lineOf = (node: ts.Node): number => {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
};
