// Installs what only the benches need, into test/bench/node_modules: load generators, and the systems that Leadwire is compared with.
// Runs before a bench, by plain Node. It does nothing where the installed packages are those of the lock file.

import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const installed = join(folder, 'node_modules', '.package-lock.json');
const wanted = join(folder, 'package-lock.json');

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) {
  process.stderr.write('Installing the packages of the benches.\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
