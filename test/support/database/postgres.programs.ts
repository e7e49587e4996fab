import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

export interface PostgresPrograms {
  folder: string;
  major: number;
}

function programsIn(folder: string): PostgresPrograms[] {
  if (!['pg_dump', 'pg_restore', 'createdb', 'createuser'].every((name) => existsSync(join(folder, name))))
    return [];
  const [, major] =
    /(\d+)/.exec(execFileSync(join(folder, 'pg_dump'), ['--version'], { encoding: 'utf8' })) ?? [];
  return [{ folder, major: Number(major) }];
}

/** PostgreSQL's client programs on this machine, newest first; the embedded PostgreSQL brings none. */
export function postgresPrograms(): PostgresPrograms[] {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  return [...debian, ...(process.env.PATH ?? '').split(delimiter)]
    .flatMap(programsIn)
    .sort((one, other) => other.major - one.major);
}
