import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Cuts stored texts to the lengths of new ones: 500 characters on a card, and 4,096 for a template in its dialog. A
 * message's content has the whole text.
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
