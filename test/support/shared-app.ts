// The applications that the suites of one test file share: one for each environment, each on its own database. A suite creates its own
// tenants.

import { TestApp, type TestEnvironment, type TestTenant } from './test-app.js';

interface Shared {
  app: TestApp;
  platform: TestTenant;
}

const shared = new Map<string, Promise<Shared>>();

/** The first call with an environment starts the application. It stops at the end of the test file: suites do not stop it. */
export async function sharedApp(environment: TestEnvironment = {}): Promise<TestApp> {
  const key = JSON.stringify(Object.entries(environment));
  let starting = shared.get(key);
  if (starting === undefined) shared.set(key, (starting = start(environment)));
  return (await starting).app;
}

/** The platform tenant of a shared application. @throws Error for an application that is not shared */
export async function platformOf(app: TestApp): Promise<TestTenant> {
  for (const one of await Promise.all(shared.values())) if (one.app === app) return one.platform;
  throw new Error('This application is not shared. Its platform tenant is the first that the test creates.');
}

interface SuiteTenants {
  app: TestApp;
  platform: TestTenant;
  tenant: TestTenant;
  other: TestTenant;
}

/** Gives a suite the shared application, its platform tenant and two new tenants. `assign` gets them before the first test. */
export function withSharedApp(assign: (made: SuiteTenants) => unknown, environment: TestEnvironment = {}): void {
  beforeAll(async () => {
    const app = await sharedApp(environment);
    const platform = await platformOf(app);
    assign({ app, platform, tenant: await app.createTenant(), other: await app.createTenant() });
  });
}

type SuiteTenant = Pick<SuiteTenants, 'app' | 'tenant'>;

/** Gives a suite the shared application and one new tenant, before its first test. */
export function withTenant(assign: (made: SuiteTenant) => unknown, environment: TestEnvironment = {}): void {
  beforeAll(async () => {
    const app = await sharedApp(environment);
    assign({ app, tenant: await app.createTenant() });
  });
}

/** Gives each test of a suite the shared application and a new tenant. */
export function withTenantEach(assign: (made: SuiteTenant) => unknown, environment: TestEnvironment = {}): void {
  beforeEach(async () => {
    const app = await sharedApp(environment);
    assign({ app, tenant: await app.createTenant() });
  });
}

async function start(environment: TestEnvironment): Promise<Shared> {
  const app = await TestApp.start(environment);
  // A scheduled job would run between the steps of a test. Tests run such work themselves.
  await app.sql('DELETE FROM pgboss.schedule');
  return { app, platform: await app.createTenant() };
}

afterAll(async () => {
  await Promise.all([...shared.values()].map(async (starting) => (await starting).app.stop()));
});
