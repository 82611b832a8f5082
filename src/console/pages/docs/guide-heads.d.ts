// The module that src/console/build/guide-files.ts makes for the build.

declare module 'virtual:guide-heads' {
  import type { GuideHead } from './guide-text.js';
  export const heads: readonly GuideHead[];
}
