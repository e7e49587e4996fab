import { splitReply } from './reply-splitter';

/** An agent's settings that say in which messages a customer gets a reply. */
interface WordSettings {
  handover_text: string | null;
  reply_parts_max: number;
}

/** The messages that a model's text makes; none where neither the model nor the agent has any words. */
export function partsOf(
  { handover_text: ownWords, reply_parts_max: partsMax }: WordSettings,
  said: string,
  isHandedOver: boolean,
): string[] {
  if (!isHandedOver) return splitReply(said, partsMax);
  // A hand-over is announced in one message, so that a customer reads it once. The agent's configured words replace
  // the model's.
  const own = splitReply(ownWords ?? '', 1);
  return own.length > 0 ? own : splitReply(said, 1);
}
