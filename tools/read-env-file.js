// Required before a program: gives it the settings of the file .env in the folder where it is started, below those of
// its environment. Node's own --env-file takes a file that it may not read for one that is not there.
const { readFileSync } = require('node:fs');
const { parseEnv } = require('node:util');

function readText() {
  try {
    return readFileSync('.env', 'utf8');
  } catch ({ code }) {
    if (code === 'ENOENT') return '';
    const mayNot = code === 'EACCES' || code === 'EPERM';
    console.error(`.env ${mayNot ? 'may not be read by this user' : `cannot be read (${code})`}`);
    process.exit(1);
  }
}

for (const [name, value] of Object.entries(parseEnv(readText()))) process.env[name] ??= value;
