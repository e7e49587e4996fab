import { isUuid } from './uuid.format';

/** A place in a list of stages that is ordered by agent, within a funnel by `order`, and where two have the same, by id. */
export interface FunnelPlace {
  assistantId: string;
  order: number;
  id: string;
}

/** PostgreSQL's integer; a larger one would fail in the database. */
const ORDER_MAX = 2_147_483_647;

export const writeFunnelPlace = ({ assistantId, order, id }: FunnelPlace): string =>
  `${assistantId} ${order} ${id}`;

/** The place that {@link writeFunnelPlace} wrote; null for any other text. */
export function readFunnelPlace(text: string): FunnelPlace | null {
  const [assistantId = '', position = '', id = ''] = text.split(' ');
  const order = Number(position);
  const isPlace =
    isUuid(assistantId) && Number.isInteger(order) && Math.abs(order) <= ORDER_MAX && isUuid(id);
  return isPlace ? { assistantId, order, id } : null;
}
