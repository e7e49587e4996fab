type Schema = Record<string, any>;

/** The names of all fields, at any depth, of the bodies and of the answers that succeed of the operations whose path is meant. */
export function fieldNamesOf(document: Schema, isMeant: (path: string) => boolean): Set<string> {
  const [names, seen] = [new Set<string>(), new Set<unknown>()];
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== 'object' || seen.has(node)) return;
    seen.add(node);
    const { $ref, properties } = node as { $ref?: string; properties?: object };
    if ($ref !== undefined) walk(document.components.schemas[$ref.split('/').at(-1) ?? '']);
    for (const name of Object.keys(properties ?? {})) names.add(name);
    Object.values(node).forEach(walk);
  };
  for (const [path, methods] of Object.entries(document.paths as Schema)) {
    if (!isMeant(path)) continue;
    for (const { requestBody, responses } of Object.values(methods as Schema) as Schema[]) {
      walk(requestBody);
      for (const [status, answer] of Object.entries(responses as Schema))
        if (status.startsWith('2')) walk(answer);
    }
  }
  return names;
}
