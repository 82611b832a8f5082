import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeAudit } from './audit.suite.js';
import { describeConfig } from './config.suite.js';
import { describeDeployment } from './deployment.suite.js';
import { describeOperations } from './operations.suite.js';
import { describeStart } from './start.suite.js';
import { describeWarmUp } from './warm-up.suite.js';

describe('audit', describeAudit);
describe('config', describeConfig);
describe('deployment', describeDeployment);
describe('operations', describeOperations);
describe('start', describeStart);
describe('warm-up', describeWarmUp);

test('every suite is run by a test file', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const suitesOf = (entry: string) =>
    [...readFileSync(join(folder, entry), 'utf8').matchAll(/from '(.+\.suite)\.js'/g)].map(([, path]) =>
      join(dirname(entry), `${path}.ts`),
    );
  const listFiles = (pattern: string) => globSync(pattern, { cwd: folder, exclude: ['**/node_modules'] });
  const run = new Set(listFiles('**/*.{test,long}.ts').flatMap(suitesOf));
  expect(run.size).toBeGreaterThan(100);
  expect(listFiles('**/*.suite.ts').filter((path) => !run.has(path))).toEqual([]);
});
