/**
 * Installs Debian's Chromium for the browser tests where it is missing and this user may: as root, with apt-get.
 * Elsewhere, or where it fails, the tests that need it are skipped and say so in their titles.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const PLACES = JSON.parse(readFileSync(new URL('chromium-places.json', import.meta.url), 'utf8'));
/** The first that can be installed. Debian has the shell since 2024. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const LIMIT_MS = 240_000;

const isHere = () => PLACES.some((place) => existsSync(place));

function aptGet(...words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-qq', ...words], { env, stdio: 'ignore', timeout: LIMIT_MS }).status === 0;
}

const may = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
if (may && !isHere()) {
  console.log('Installing Chromium for the browser tests …');
  const install = () =>
    PACKAGES.some((name) => aptGet('install', '-y', '--no-install-recommends', name)) && isHere();
  if (!install()) {
    aptGet('update');
    install();
  }
  console.log(
    isHere() ? 'Chromium is installed.' : 'Chromium cannot be installed here: its tests are skipped.',
  );
}
