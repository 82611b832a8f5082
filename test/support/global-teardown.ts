// Jest's global teardown: the run's PostgreSQL server ends, and its data is deleted.

export default async function tearDown(): Promise<void> {
  await globalThis.leadwireTestServer?.stop();
}
