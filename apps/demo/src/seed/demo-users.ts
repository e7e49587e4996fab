import { demoId } from '@app/contracts/demo-ids';
import type { Role } from '@app/domain/accounts/access-table';
import { foldEmail } from '@app/domain/accounts/people/person.rules';
import { PasswordHasher } from '@app/domain/accounts/people/password-hasher';
import type { Client } from 'pg';
import { derivePassword, type DemoSecrets } from '../data-folder';
import { SHOP } from './demo-accounts';

export interface DemoUser {
  id: string;
  email: string;
  name: string;
  role: Role;
  locale: 'ru' | 'en';
}

/** Who works in the first account: one of each role. */
export const OPERATOR: DemoUser = {
  id: demoId('user', 1),
  email: 'operator@harbour.example',
  name: 'Алия',
  role: 'operator',
  locale: 'ru',
};
export const ADMIN_USER: DemoUser = {
  ...{ id: demoId('user', 2), email: 'admin@harbour.example', name: 'Marat', role: 'admin', locale: 'en' },
};

/** How a person of the demo signs in, until the password is changed. */
export const signInOf = ({ email }: DemoUser, secrets: DemoSecrets): { email: string; password: string } => ({
  email,
  password: derivePassword(secrets, email),
});

/** Adds missing people only: a password or a role that was changed stays. */
export async function seedUsers(db: Client, secrets: DemoSecrets): Promise<void> {
  const hasher = new PasswordHasher();
  for (const user of [OPERATOR, ADMIN_USER]) {
    const { id, email, name, role, locale } = user;
    const { rowCount } = await db.query('SELECT 1 FROM users WHERE id = $1', [id]);
    if (rowCount !== 0) continue;
    const { password } = signInOf(user, secrets);
    await db.query(
      `INSERT INTO users (account_id, id, email, email_key, name, role, locale, password_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      [SHOP, id, email, foldEmail(email), name, role, locale, await hasher.hash('demo', password)],
    );
  }
}
