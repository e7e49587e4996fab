import { isUuid } from './uuid.format';

/** A position in a list of stages. The list is ordered by agent, then by `order`, then by id. */
export interface FunnelPosition {
  assistantId: string;
  order: number;
  id: string;
}

/** The range of PostgreSQL's integer. A larger number would fail in the database. */
const ORDER_MAX = 2_147_483_647;

export const writeFunnelPosition = ({ assistantId, order, id }: FunnelPosition): string =>
  `${assistantId} ${order} ${id}`;

/** The position that {@link writeFunnelPosition} wrote; null for any other text. */
export function readFunnelPosition(text: string): FunnelPosition | null {
  const [assistantId = '', position = '', id = ''] = text.split(' ');
  const order = Number(position);
  const isPosition =
    isUuid(assistantId) && Number.isInteger(order) && Math.abs(order) <= ORDER_MAX && isUuid(id);
  return isPosition ? { assistantId, order, id } : null;
}
