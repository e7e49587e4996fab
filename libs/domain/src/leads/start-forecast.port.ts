import type { WouldStart } from '@app/persistence/scenarios/runs/scenario-start.repository';

/** What moves would start. */
export abstract class StartForecast {
  /**
   * @param moves dialogs with the stage that each would enter
   * @param opening for each dialog that would be opened the stage that it would enter
   * @returns how many runs would begin, and how many messages these have at most
   */
  abstract of(
    accountId: string,
    moves: readonly { threadId: string; statusId: string }[],
    opening?: readonly string[],
  ): Promise<WouldStart>;
}
