// The applications that the suites of one test file share: one for each environment, on a database of its own. Tenants keep the suites apart.

import { TestApp } from './test-app.js';
import type { TestEnvironment, TestTenant } from './test-app.js';

interface Shared {
  app: TestApp;
  platform: TestTenant;
}

const shared = new Map<string, Promise<Shared>>();

/** Starts at the first call with this environment. Nobody stops it: it ends with the test file. */
export async function sharedApp(environment: TestEnvironment = {}): Promise<TestApp> {
  const key = JSON.stringify(Object.entries(environment));
  let starting = shared.get(key);
  if (starting === undefined) shared.set(key, (starting = start(environment)));
  return (await starting).app;
}

/** Of a shared application: the first tenant of its database, and so the platform tenant. */
export async function platformOf(app: TestApp): Promise<TestTenant> {
  for (const one of await Promise.all(shared.values())) if (one.app === app) return one.platform;
  throw new Error('This application is not shared: its first tenant is the platform tenant.');
}

async function start(environment: TestEnvironment): Promise<Shared> {
  const app = await TestApp.start(environment);
  return { app, platform: await app.createTenant() };
}

afterAll(async () => {
  await Promise.all([...shared.values()].map(async (starting) => (await starting).app.stop()));
});
