// Rules for every page that people open less often than each day: axe, width, language. every-page.suite.ts has the others.

import { describeInBrowser } from './browser.js';
import { expectPagesInOrder, otherPaths, startDemoPages, type DemoPages } from './every-page.suite.js';

describeInBrowser('console', () => {
  let demo: DemoPages;

  beforeAll(async () => {
    demo = await startDemoPages();
  });
  afterAll(() => demo.close());

  test('on every other page axe finds no violation, light or dark, nothing is wider than 360 px, and one language is shown', async () => {
    await expectPagesInOrder(demo, otherPaths);
  }, 300_000);
});
