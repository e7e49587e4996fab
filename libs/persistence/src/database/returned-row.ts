/** The row that a statement with RETURNING returned; null when it changed none. */
export const returnedRow = <Row>({ raw }: { raw: unknown }): Row | null => (raw as Row[])[0] ?? null;
