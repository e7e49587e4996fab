import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A business that uses the service; everything it owns carries its id. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Recipients a calendar month; null is unlimited. */
  @Column('integer', { name: 'monthly_message_quota', nullable: true })
  monthlyMessageQuota: number | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;
}
