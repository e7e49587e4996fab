import { isUuid } from './uuid.format';

/** A position in a list of scenarios. The list is ordered by agent, by stage, by `order`, then by id. */
export interface ScenarioPosition {
  assistantId: string;
  statusId: string;
  order: number;
  id: string;
}

/** The range of PostgreSQL's integer. A larger number would fail in the database. */
const ORDER_MAX = 2_147_483_647;

export const writeScenarioPosition = ({ assistantId, statusId, order, id }: ScenarioPosition): string =>
  `${assistantId} ${statusId} ${order} ${id}`;

/** The position that {@link writeScenarioPosition} wrote; null for any other text. */
export function readScenarioPosition(text: string): ScenarioPosition | null {
  const [assistantId = '', statusId = '', position = '', id = ''] = text.split(' ');
  const order = Number(position);
  const isPosition =
    [assistantId, statusId, id].every(isUuid) && Number.isInteger(order) && Math.abs(order) <= ORDER_MAX;
  return isPosition ? { assistantId, statusId, order, id } : null;
}
