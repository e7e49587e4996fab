type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Says of a document written for OpenAPI 3.0 the same in the words of OpenAPI 3.1, which are those of JSON Schema: what may be null
 * has null among its types. Library and decorators know the older word alone.
 */
export function toJsonSchema<T>(value: T): T {
  if (Array.isArray(value)) return value.map(toJsonSchema) as T;
  if (!isNode(value)) return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonSchema(inner)]));
  return (node.nullable === true ? withNull(node) : node) as T;
}

function withNull({ nullable: _, ...node }: Node): Node {
  const { allOf, type, enum: words, ...others } = node;
  // A named schema is written once for all its uses, so null stands beside it.
  if (Array.isArray(allOf)) return { ...others, anyOf: [...(allOf as unknown[]), { type: 'null' }] };
  if (Array.isArray(node.oneOf)) {
    const { description, ...choice } = node;
    return { description, anyOf: [choice, { type: 'null' }] };
  }
  return {
    ...node,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(words) && { enum: [...new Set([...(words as unknown[]), null])] }),
  };
}
