import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Cuts what people are shown of messages to what new ones are shown of: 500 characters on a card, and 4,096 of a
 * template in its dialog. What was sent stands in a message's content.
 */
export class ShownTexts1763863200000 implements MigrationInterface {
  name = 'ShownTexts1763863200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      UPDATE threads SET last_message_text = left(last_message_text, 499) || '…' WHERE length(last_message_text) > 500;
      UPDATE messages SET text = left(text, 4095) || '…' WHERE type = 'template' AND NOT came_in AND length(text) > 4096;
    `);
  }

  /** What was cut off is nowhere, and nothing needs it. */
  async down(): Promise<void> {}
}
