// `npm run audit`: fails where a package that production runs has a known hole of severity high or critical. A registry that offers no
// audits (mirrors often do not) is reported and does not fail the check.

import { spawnSync } from 'node:child_process';
import { readAudit } from './audit-report.js';

const options = ['--omit=dev', '--audit-level=high', '--json', '--fetch-retries=1', '--fetch-timeout=30000'];
const { stdout, error } = spawnSync('npm', ['audit', ...options], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
if (error !== undefined) throw error;
const audit = readAudit(stdout);
if (audit.outcome === 'unavailable')
  process.stdout.write(`audit skipped: registry offers no audit (${audit.reason})\n`);
else if (audit.outcome === 'clean') process.stdout.write('audit: no known hole of severity high or critical\n');
else {
  process.stderr.write(`audit: known holes\n${audit.findings.map((finding) => `  ${finding}\n`).join('')}`);
  process.exitCode = 1;
}
